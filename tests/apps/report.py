"""Pages made again from what fit, path and compare left behind."""
import shlex
import shutil

from support import *


def without_command(data):
    """A page's data but for what was typed."""
    data = json.loads(json.dumps(data))
    data["command"] = ""
    for one in data["results"]:
        one["command"] = ""
        one["seconds"] = {value["name"]: value["value"] for value in one["seconds"] if value["name"] not in ("report", "write")}
    return data


with tempfile.TemporaryDirectory() as scratch:
    os.chdir(scratch)
    expect(0, "simulate", "ssvd", "-o", "data", "--format", "csv")
    table = "data/data.csv"
    expect(0, "fit", "ssvd", table, "-o", "one", "--clusters", 3, "--row-sparsity", "20%", "--truth", "data/clusters.tsv")
    first = page_data("one/report.html")
    check(first["kind"] == "result" and len(first["results"][0]["components"]) == 3, "a page of a result")
    stored = result("one")
    check(first["results"][0]["objective"] == stored["objective"], "the page's objective is that of result.json")
    check([one["explained"] for one in first["results"][0]["components"]] == [one["explained"] for one in stored["components"]],
          "and so are the shares")
    check({one["name"]: one["value"] for one in first["results"][0]["scores"]} == stored["scores"], "and the scores")

    # Again: the same page, with a command that makes the same result.
    expect(0, "report", "one", says="report: one/report.html")
    again = page_data("one/report.html")
    check(without_command(again) == without_command(first), "made again it is the same page")
    words = shlex.split(again["results"][0]["command"])
    check(words[0] == "gingham" and "--row-sparsity" in words, f"{words}")
    words[words.index("-o") + 1] = "retyped"
    expect(0, *words[1:])
    check(contents("retyped") == contents("one"), "its command makes the same result")

    # Of several.
    expect(0, "fit", "kmeans", table, "-o", "two", "--clusters", 4)
    expect(2, "report", "one", "two", says=["--output", "side by side"])
    os.mkdir("pages")
    expect(0, "report", "one/", "two", "-o", "pages/both.html", says="report: pages/both.html")
    both = page_data("pages/both.html")
    check(both["kind"] == "several" and [one["folder"] for one in both["results"]] == ["../one", "../two"], "links from the page")
    check(len(both["fields"]) == 1, "data that both share are there once")
    expect(2, "report", "one", "two", "-o", "pages/both.html", says="exists already")
    expect(0, "report", "one", "two", "-o", "pages/both.html", "--force", "--quiet")
    expect(2, "report", "one", "-o", "pages", "--force", says="is a directory")
    expect(2, "report", "one", "-o", "nowhere/x.html", says="does not exist")

    # Of a path and of a comparison.
    expect(0, "path", "ssvd", table, "-o", "path", "--clusters", 2, "--vary", "row-sparsity=10%,50%,90%", "--vary", "column-sparsity=0,40%")
    walked = page_data("path/report.html")
    check(walked["kind"] == "path" and len(walked["results"]) == 6, "a picture per point")
    check([point["at"] for point in walked["path"]["points"]] == [[i, j] for i in range(3) for j in range(2)], "points in order")
    check([point["result"] for point in walked["path"]["points"]] == list(range(6)), "with their results")
    check(len(walked["fields"]) == 1 and len(walked["table"]["rows"]) == 6, "one field, six rows")
    expect(0, "report", "path", "-q")
    check(page_data("path/report.html") == walked, "a path's page again")
    expect(0, "compare", table, "-o", "compared", "--methods", "ssvd:clusters=3,kmeans:clusters=4", "--truth", "data/truth/rows.txt")
    compared = page_data("compared/report.html")
    check(compared["kind"] == "compare" and [one["name"] for one in compared["results"]] == ["ssvd", "kmeans"], "a comparison")
    check(compared["table"]["folders"] == ["ssvd", "kmeans"], "with links")
    expect(0, "report", "compared")
    check(page_data("compared/report.html") == compared, "a comparison's page again")
    expect(2, "report", "path", "one", "-o", "pages/x.html", says="holds several results")

    # What has moved, has changed or is not there.
    expect(2, "report", "data", says="is not a folder that fit, path or compare wrote")
    expect(2, "report", "nothing", says=["nothing", "is not a folder that fit, path or compare wrote"])
    shutil.copy(table, "elsewhere.csv")
    original = open(table).read()
    os.remove(table)
    expect(2, "report", "one", says="data.csv")
    expect(0, "report", "one", "--input", "elsewhere.csv")
    lines = original.splitlines()
    open(table, "w").write("\n".join(lines[:1] + lines[2:] + lines[1:2]) + "\n")
    expect(2, "report", "one", says="is not what the result was made from")
    open(table, "w").write(original)
    text = open("path/path.json").read()
    open("path/path.json", "w").write(text[:-40])
    expect(2, "report", "path", says="path.json")
finish()
