"""Killed at random moments and resumed: the same files as a run that was left alone. Signals leave a result."""
import os
import random
import shutil
import signal
import time

from support import *

kills = int(sys.argv[2]) if len(sys.argv) > 2 else 5
chance = random.Random(1)


def start(*words):
    return subprocess.Popen([GINGHAM, *map(str, words)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def start_and_wait(*words, output, threads=2):
    """A run that is certainly under way: its second checkpoint is there, however fast or busy the machine is."""
    process = start(*words, "-o", output, "--checkpoint-interval", 0, "--threads", threads)
    seen, last = 0, None
    while process.poll() is None and seen < 2:
        try:
            written = os.stat(output + ".checkpoint/state").st_mtime_ns
        except FileNotFoundError:
            written = last
        seen += written != last
        last = written
        time.sleep(0.0005)
    return process


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    numpy.save("x.npy", planted(600, 400, seed=5))
    numpy.save("positive.npy", numpy.abs(planted(600, 400, seed=5)))
    fits = {
        "ssvd": ["fit", "ssvd", "x.npy", "--clusters", 160, "--tolerance", 0, "--max-iterations", 12,
                 "--row-sparsity", 0, "--column-sparsity", 0],
        "kmeans": ["fit", "kmeans", "x.npy", "--clusters", 30, "--restarts", 150],
        "nmf": ["fit", "nmf", "positive.npy", "--rank", 20, "--restarts", 12, "--tolerance", 0],  # they race
    }
    for name, words in fits.items():
        begin = time.time()
        check(run(*words, "-o", "whole", "--checkpoint-interval", 0, "--force").returncode == 0, f"{name}: whole run")
        duration = time.time() - begin
        whole = contents("whole")
        check(not os.path.exists("whole.checkpoint"), "a finished run removes its checkpoint")
        resumed = 0
        for trial in range(kills):
            shutil.rmtree("out", ignore_errors=True)
            shutil.rmtree("out.checkpoint", ignore_errors=True)
            threads = 1 + trial % 2
            if trial == 0:
                process = start_and_wait(*words, output="out", threads=threads)
            else:
                process = start(*words, "-o", "out", "--checkpoint-interval", 0, "--threads", threads)
                time.sleep(chance.uniform(0.02, 0.95 * duration))
            process.send_signal(signal.SIGKILL)
            process.communicate()
            resumed += os.path.exists("out.checkpoint/state")
            if trial % 3 == 2 and all(os.path.exists("out.checkpoint/" + n) for n in ("state", "state.previous")):
                # The newest generation is torn: the one before it serves.
                with open("out.checkpoint/state", "r+b") as state:
                    state.truncate(max(os.path.getsize("out.checkpoint/state") // 2, 1))
            done = run(*words, "-o", "out", "--resume", "--threads", 2 - trial % 2)
            check(done.returncode == 0, f"{name}: resume {trial}: {done.returncode} {done.stderr}")
            check(contents("out") == whole, f"{name}: kill {trial} changed the result")
            check(not os.path.exists("out.checkpoint"), f"{name}: checkpoint left behind")
        print(f"{name}: {kills} kills over {duration:.2f} s, {resumed} left a checkpoint, all resumed to the same bits")
        check(resumed > 0, f"{name}: no kill left a checkpoint to resume from")
        expect(0, "verify", "out")

    # A signal ends the run within seconds with a valid result, exit 3, and a checkpoint that goes on.
    words = fits["ssvd"]
    run(*words, "-o", "expected")
    expected = contents("expected")
    for sent in (signal.SIGTERM, signal.SIGINT):
        shutil.rmtree("out", ignore_errors=True)
        process = start_and_wait(*words, output="out")
        begin = time.time()
        process.send_signal(sent)
        process.communicate(timeout=60)
        check(process.returncode == 3, f"{sent}: exit {process.returncode}")
        check(time.time() - begin < 5, f"{sent}: took {time.time() - begin:.1f} s")
        check(result("out")["status"] == "cancelled", "a stopped run says so")
        expect(0, "verify", "out")
        expect(2, *words, "-o", "out", says="--resume")
        expect(2, "fit", "ssvd", "x.npy", "--clusters", 41, *words[5:], "-o", "out", "--resume", says="--clusters")
        numpy.save("y.npy", planted(600, 400, seed=6))
        expect(2, *[w if w != "x.npy" else "y.npy" for w in words], "-o", "out", "--resume", says=["y.npy", "digest"])
        expect(2, "fit", "kmeans", "x.npy", "-o", "out", "--resume", says="method")
        expect(0, *words, "-o", "out", "--resume")
        check(contents("out") == expected, "resumed after a signal to the same bits")
        expect(0, *words, "-o", "out", "--resume", says="complete already")
    # Damaged checkpoints are refused or passed over, never believed.
    process = start_and_wait(*words, output="broken")
    process.send_signal(signal.SIGKILL)
    process.communicate()
    for damage in range(20):
        bytes_ = bytearray(open("broken.checkpoint/state", "rb").read())
        bytes_[chance.randrange(len(bytes_))] ^= 1 << chance.randrange(8)
        shutil.rmtree("copy.checkpoint", ignore_errors=True)
        os.mkdir("copy.checkpoint")
        open("copy.checkpoint/state", "wb").write(bytes_)
        expect(2, *words, "-o", "copy", "--resume", says="damaged")
    # Two runs must not share an output.
    shutil.rmtree("out", ignore_errors=True)
    process = start_and_wait(*words, output="out")
    done = run(*words, "-o", "out", "--force")
    check(done.returncode == 2 and "another run" in done.stderr, f"two runs at once: {done.returncode} {done.stderr}")
    process.send_signal(signal.SIGKILL)
    process.communicate()
finish()
