"""Odd and broken files. Each case is (name, ending, bytes, what, options): "refuse" must be refused with the file and a
line or byte, "read" must be read as the reference says, "either" may be refused but never misread. A generator
takes a random generator, so that every seed gives other files of the same kinds."""
import io
import struct
import zipfile
import zlib

import numpy as np
import scipy.sparse

HUGE = 2**31, 2**32, 2**63 - 1, 2**63, 2**64 - 1, 10**30


def text_values():
    """Fields that stand where a number should, and whether they are one."""
    return [("inf", "inf", "refuse"), ("minus_inf", "-Infinity", "refuse"), ("nan_payload", "nan(0x1)", "refuse"),
            ("minus_nan", "-nan", "refuse"), ("overflow", "1e999", "refuse"), ("underflow", "1e-999", "refuse"),
            ("digits_400", "1" * 400, "refuse"), ("fraction_400", "0." + "3" * 400, "refuse"),
            ("denormal", "4.9406564584124654e-324", "read"), ("digits_30", "123456789012345678901234567890.5", "read"),
            ("trailing_text", "1.5abc", "refuse"), ("two_signs", "--1", "refuse"), ("plus_minus", "+-1", "refuse"),
            ("plus", "+1.5", "read"), ("hex", "0x1p3", "refuse"), ("hex_int", "0x10", "refuse"),
            ("complex", "1+2j", "refuse"), ("text", "abc", "refuse"), ("underscore", "1_000", "refuse"),
            ("percent", "5%", "refuse"), ("comma_semicolon", "1;5", "refuse"), ("two_points", "1.2.3", "refuse"),
            ("bare_exponent", "1e", "refuse"), ("point", ".", "refuse"), ("sign", "-", "refuse"),
            ("fortran", "1d5", "refuse"), ("nbsp", "\u00a01", "refuse"), ("wide_digit", "１", "refuse"),
            ("nul", "1\0", "refuse"), ("escape", "\x1b[31m1", "refuse"), ("minus_sign", "\u22121", "refuse"),
            ("point_first", ".5", "read"), ("point_last", "5.", "read"), ("zeros", "-000.250e+001", "read"),
            ("int64_edge", "9223372036854775808", "read"), ("two_53", "9007199254740993", "read"),
            ("max", "1.7976931348623157e308", "read"), ("just_over", "1.7976931348623159e308", "refuse")]


def tables(rng):
    a, b, c, d = (repr(float(x)) for x in rng.standard_normal(4))
    for ending, sep in (("csv", ","), ("tsv", "\t")):
        def case(name, text, what, **options):
            data = text if isinstance(text, bytes) else text.replace(",", sep).encode()
            return name, ending, data, what, options
        for name, field, what in text_values():
            yield case("value_" + name, f"{a},{b}\n{c},{field}\n", what)
            yield case("first_value_" + name, f"{a},{field}\n{c},{d}\n", what)
            yield case("quoted_" + name, f'{a},{b}\n"{field}",{d}\n', what)
        yield case("empty_file", "", "refuse")
        yield case("only_mark", b"\xef\xbb\xbf", "refuse")
        yield case("only_newlines", "\n\n\n", "refuse")
        yield case("only_labels", "x,y,z\n", "refuse")
        yield case("only_label_column", "x\ny\nz\n", "refuse")
        yield case("short_row", f"{a},{b},{c}\n1,2\n", "refuse")
        yield case("long_row", f"{a},{b}\n1,2,3\n", "refuse")
        yield case("trailing_delimiter", f"{a},{b}\n1,2,\n", "refuse")
        yield case("blank_inside", f"{a},{b}\n\n{c},{d}\n", "refuse")
        yield case("blank_first", f"\n{a},{b}\n", "refuse")
        yield case("blank_at_end", f"{a},{b}\n{c},{d}\n\n", "read")
        yield case("blank_in_column", f"{a}\n\n{c}\n", "refuse")
        yield case("blank_after_column", f"{a}\n{c}\n\n", "refuse")
        yield case("comment", f"# note\n{a},{b}\n", "refuse")
        yield case("comment_inside", f"{a},{b}\n# note,1\n{c},{d}\n", "refuse")
        yield case("crlf", f"{a},{b}\r\n{c},{d}\r\n", "read")
        yield case("lone_cr", f"{a},{b}\r{c},{d}\r", "refuse")
        yield case("cr_inside", f"{a},{b}\n{c}\r,{d}\n", "refuse")
        yield case("cr_at_end", f"{a},{b}\n{c},{d}\r", "refuse")
        yield case("crcrlf", f"{a},{b}\r\r\n{c},{d}\r\r\n", "refuse")
        yield case("no_final_newline", f"{a},{b}\n{c},{d}", "read")
        yield case("utf8_mark", b"\xef\xbb\xbf" + f"{a},{b}\n".replace(",", sep).encode(), "read")
        yield case("utf8_mark_inside", f"{a},{b}\n\ufeff{c},{d}\n", "refuse")
        yield case("utf16", f"{a},{b}\n".encode("utf-16"), "refuse")
        yield case("utf16_be", b"\xfe\xff" + f"{a},{b}\n".encode("utf-16-be"), "refuse")
        yield case("utf16_no_mark", f"{a},{b}\n".encode("utf-16-le"), "refuse")
        yield case("nul_bytes", b"\0" * 50, "refuse")
        yield case("nul_line", f"{a},{b}\n\0,\0\n", "refuse")
        yield case("other_delimiter", f"{a};{b}\n{c};{d}\n", "refuse")
        yield case("space_delimiter", f"{a} {b}\n{c} {d}\n", "refuse")
        yield case("mixed_delimiter", f"{a},{b}\n{c};{d}\n", "refuse")
        yield case("decimal_comma", '"1,5","2,5"\n"3,5","4,5"\n'.replace(",", ",", 1), "refuse")
        yield case("unclosed_quote", f'{a},{b}\n"{c},{d}\n', "refuse")
        yield case("unclosed_label", f'x,"y\n1,2\n3,4\n', "refuse")
        yield case("quote_inside", f'{a},{b}\n1"2,{d}\n', "refuse")
        yield case("text_after_quote", f'{a},{b}\n"1"2,{d}\n', "refuse")
        yield case("space_after_quote", f'{a},{b}\n"1" ,{d}\n', "refuse")
        yield case("quoted_numbers", f'"{a}","{b}"\n"{c}","{d}"\n', "read")
        yield case("doubled_quotes", f'"say ""x""",y\n{a},{b}\n', "read")
        yield case("newline_in_quotes", f'"one\ntwo",y\n{a},{b}\n', "read")
        yield case("crlf_in_quotes", f'"one\r\ntwo",y\r\n{a},{b}\r\n', "read")
        yield case("cr_in_quotes", f'"one\rtwo",y\n{a},{b}\n', "refuse")
        yield case("delimiter_in_quotes", f'"one,two",y\n{a},{b}\n', "read" if sep == "," else "refuse")
        yield case("quote_only", '"', "refuse")
        yield case("quotes_only", '""', "either")
        yield case("empty_cell", f"{a},\n{c},{d}\n", "read")
        yield case("empty_cells", ",\n,\n", "read")
        yield case("markers", "NA,NaN\nnan,NAN\n", "read")
        yield case("marker_na_lower", f"{a},na\n{c},{d}\n", "refuse")
        yield case("marker_null", f"{a},null\n{c},{d}\n", "refuse")
        yield case("marker_slash", f"{a},{b}\n{c},N/A\n", "refuse")
        yield case("spaces", f" {a} , {b}\n{c},   {d}\n", "read")
        yield case("tab_around", f"{a},{b}\n\x0b{c},{d}\n", "refuse")
        yield case("labels_both", f",x,y\np,{a},{b}\nq,{c},{d}\n", "read")
        yield case("labels_rows", f"p,{a},{b}\nq,{c},{d}\n", "read")
        yield case("labels_columns", f"x,y\n{a},{b}\n", "read")
        yield case("labels_years", f"2001,2002\n{a},{b}\n", "read", labels="columns")
        yield case("labels_years_both", f",2001,2002\n1,{a},{b}\n2,{c},{d}\n", "read", labels="both")
        yield case("labels_none_text", f"x,y\n{a},{b}\n", "refuse", labels="none")
        yield case("labels_rows_missing", f"NA,{a}\nq,{c}\n,{d}\n", "read")
        yield case("labels_late", f",{a}\n,{b}\nq,{c}\n", "refuse")
        yield case("labels_late_one", f"NA,{a}\n,{b}\nq,{c}\n", "read")
        yield case("labels_one_row", f"p,{a},{b}\n", "read")
        yield case("labels_mixed", f"p,{a}\n7,{b}\n", "refuse")
        yield case("labels_number_late", f"p,{a}\nq,{b}\n7,{c}\n", "refuse")
        yield case("label_number_first", f"7,{a}\nq,{b}\n", "refuse")
        yield case("label_number_first_said", f"7,{a}\nq,{b}\n", "read", labels="rows")
        yield case("labels_twice_columns", f"x,x\n{a},{b}\n", "refuse")
        yield case("labels_twice_rows", f"p,{a}\np,{b}\n", "refuse")
        yield case("labels_ambiguous", f"p,NA\nq,{b}\n", "refuse")
        yield case("labels_missing_one", f"x,NA,z\n1,2,3\n", "read")
        yield case("labels_fewer", f"x,y\np,{a},{b}\n", "refuse")
        yield case("label_control", f"x,\x07y\n{a},{b}\n", "refuse")
        yield case("label_escape", f"x,\x1b[2J\n{a},{b}\n", "refuse")
        yield case("label_c1", f"x,\x9by\n{a},{b}\n", "refuse")
        yield case("label_utf8_bad", b"x" + sep.encode() + b"\xff\xfe\n1" + sep.encode() + b"2\n", "refuse")
        yield case("label_utf8_overlong", b"x" + sep.encode() + b"\xc0\xaf\n1" + sep.encode() + b"2\n", "refuse")
        yield case("label_surrogate", b"x" + sep.encode() + b"\xed\xa0\x80\n1" + sep.encode() + b"2\n", "refuse")
        yield case("label_utf8", f"Größe,日本\n{a},{b}\n", "read")
        yield case("label_long", f"x,{'y' * 5000}\n{a},{b}\n", "refuse")
        yield case("label_formula", f"=cmd|'/c calc',+x\n{a},{b}\n", "read")
        yield case("long_line", f"{a},{b}\n" + "1" * 3000 + "\n", "refuse", max_line_bytes=2000)
        yield case("long_quoted", f'{a},{b}\n"' + "1\n" * 3000 + '"\n', "refuse", max_line_bytes=2000)
        yield case("gzip_without_gz", zlib.compress(b"1,2\n", wbits=31), "refuse")
        yield case("one_cell", a + "\n", "read")
        yield case("one_row", f"{a},{b}\n", "read")
        yield case("one_column", f"{a}\n{b}\n", "read")
        yield case("random_bytes", rng.bytes(200), "refuse")


def matrix_market(rng):
    a, b = (repr(float(x)) for x in rng.standard_normal(2))
    head = "%%MatrixMarket matrix coordinate real general\n"
    array = "%%MatrixMarket matrix array real general\n"
    def case(name, text, what, **options):
        return name, "mtx", text if isinstance(text, bytes) else text.encode(), what, options
    for name, field, what in text_values():
        yield case("value_" + name, f"{head}2 2 2\n1 1 {a}\n2 2 {field}\n", what)
        yield case("array_value_" + name, f"{array}2 1\n{a}\n{field}\n", what)
    for number in HUGE:
        yield case(f"rows_{number}", f"{head}{number} 2 1\n1 1 {a}\n", "refuse")
        yield case(f"columns_{number}", f"{head}2 {number} 1\n1 1 {a}\n", "refuse")
        yield case(f"count_{number}", f"{head}2 2 {number}\n1 1 {a}\n", "refuse")
        yield case(f"index_{number}", f"{head}2 2 1\n{number} 1 {a}\n", "refuse")
        yield case(f"both_{number}", f"{head}{number} {number} {number}\n1 1 {a}\n", "refuse")
        yield case(f"array_{number}", f"{array}{number} {number}\n{a}\n", "refuse")
        yield case(f"array_rows_{number}", f"{array}{number} 1\n{a}\n", "refuse")
    yield case("product_wraps", f"{array}{2**32} {2**32}\n", "refuse")
    yield case("huge_sizes_tiny_body", f"{head}2000000000 2000000000 1\n1 1 {a}\n", "refuse")
    for name, line in (("zero_rows", "0 2 1"), ("zero_columns", "2 0 1"), ("negative", "-2 2 1"), ("float", "2.0 2 1"),
                       ("nan", "nan 2 1"), ("count_nan", "2 2 nan"), ("hex", "0x2 2 1"), ("no_count", "2 2"),
                       ("extra", "2 2 1 1"), ("negative_count", "2 2 -1"), ("comma", "2,2,1"), ("text", "a b c"),
                       ("blank", ""), ("tabs", "2\t2\t1")):
        yield case("size_" + name, f"{head}{line}\n1 1 {a}\n", "refuse")
    for name, index in (("zero", "0"), ("over", "3"), ("negative", "-1"), ("float", "1.0"), ("hex", "0x1"),
                        ("text", "a"), ("exponent", "1e0"), ("empty", "")):
        yield case("row_" + name, f"{head}2 2 1\n{index} 1 {a}\n", "refuse")
        yield case("column_" + name, f"{head}2 2 1\n1 {index} {a}\n", "refuse")
    yield case("index_zero_based", f"{head}2 2 2\n0 1 1.5\n1 0 2.5\n", "own", index_base=0)
    yield case("index_zero_based_over", f"{head}2 2 1\n2 1 1.5\n", "refuse", index_base=0)
    yield case("too_few", f"{head}2 2 2\n1 1 {a}\n", "refuse")
    yield case("too_many", f"{head}2 2 1\n1 1 {a}\n2 2 {b}\n", "refuse")
    yield case("no_entries", f"{head}2 2 0\n", "read")
    yield case("array_too_few", f"{array}2 2\n{a}\n{b}\n1\n", "refuse")
    yield case("array_too_many", f"{array}1 2\n{a}\n{b}\n1\n", "refuse")
    yield case("array_two_per_line", f"{array}2 1\n{a} {b}\n", "refuse")
    yield case("duplicate", f"{head}2 2 2\n1 1 {a}\n1 1 {b}\n", "refuse")
    yield case("duplicate_sum", f"{head}2 2 2\n1 1 1.5\n1 1 2.25\n", "own", duplicates="sum")
    yield case("unsorted", f"{head}3 3 3\n3 3 {a}\n1 1 {b}\n2 1 1\n", "read")
    sym = "%%MatrixMarket matrix coordinate real symmetric\n"
    skew = "%%MatrixMarket matrix coordinate real skew-symmetric\n"
    yield case("symmetric", f"{sym}3 3 3\n1 1 {a}\n2 1 {b}\n3 2 1\n", "read")
    yield case("symmetric_upper", f"{sym}2 2 1\n1 2 {a}\n", "refuse")
    yield case("symmetric_both", f"{sym}2 2 2\n1 2 {a}\n2 1 {a}\n", "refuse")
    yield case("symmetric_twice", f"{sym}3 3 4\n1 1 1\n2 1 {a}\n2 2 1\n2 1 {a}\n", "refuse")
    yield case("symmetric_wide", f"{sym}2 3 1\n1 1 {a}\n", "refuse")
    yield case("skew", f"{skew}3 3 2\n2 1 {b}\n3 2 1\n", "read")
    yield case("skew_diagonal", f"{skew}2 2 1\n1 1 {a}\n", "refuse")
    yield case("skew_upper", f"{skew}2 2 1\n1 2 {a}\n", "refuse")
    yield case("array_symmetric", f"{array.replace('general', 'symmetric')}2 2\n1\n{a}\n{b}\n", "read")
    yield case("array_skew", f"{array.replace('general', 'skew-symmetric')}3 3\n1\n{a}\n{b}\n", "read")
    yield case("array_skew_one", f"{array.replace('general', 'skew-symmetric')}1 1\n", "either")
    yield case("pattern", f"{head.replace('real', 'pattern')}2 2 2\n1 1\n2 1\n", "read")
    yield case("pattern_value", f"{head.replace('real', 'pattern')}2 2 1\n1 1 1\n", "refuse")
    yield case("pattern_array", f"{array.replace('real', 'pattern')}2 2\n1\n1\n1\n1\n", "refuse")
    yield case("pattern_skew", f"{skew.replace('real', 'pattern')}2 2 1\n2 1\n", "refuse")
    yield case("real_without_value", f"{head}2 2 1\n1 1\n", "refuse")
    yield case("complex", f"{head.replace('real', 'complex')}2 2 1\n1 1 1 2\n", "refuse")
    yield case("complex_in_real", f"{head}2 2 1\n1 1 1 2\n", "refuse")
    yield case("hermitian", f"{head.replace('real', 'complex').replace('general', 'hermitian')}2 2 1\n1 1 1 0\n", "refuse")
    yield case("integer", f"{head.replace('real', 'integer')}2 2 1\n1 1 -7\n", "read")
    yield case("integer_two_31", f"{head.replace('real', 'integer')}2 2 1\n1 1 2147483648\n", "read")
    yield case("integer_real", f"{head.replace('real', 'integer')}2 2 1\n1 1 1.5\n", "refuse")
    yield case("integer_huge", f"{head.replace('real', 'integer')}2 2 1\n1 1 {10**20}\n", "refuse")
    yield case("nan", f"{head}2 2 1\n1 1 nan\n", "read")
    for name, banner in (("missing", ""), ("one_percent", "%MatrixMarket matrix coordinate real general\n"),
                         ("short", "%%MatrixMarket matrix\n"), ("vector", head.replace(" matrix ", " vector ")),
                         ("long", head.replace("general", "general extra")), ("typo", head.replace("real", "rael")),
                         ("glued", head.replace("Market ", "Market")), ("empty", "\n")):
        yield case("banner_" + name, f"{banner}1 1 1\n1 1 {a}\n", "refuse")
    yield case("banner_case", f"%%MatrixMarket MATRIX Coordinate REAL General\n1 1 1\n1 1 {a}\n", "read")
    yield case("comments", f"{head}% one\n%two\n1 1 1\n1 1 {a}\n", "read")
    yield case("comment_inside", f"{head}2 2 2\n1 1 {a}\n% note\n2 2 {b}\n", "refuse")
    yield case("comment_at_end", f"{head}2 2 1\n1 1 {a}\n% note\n", "refuse")
    yield case("blank_inside", f"{head}2 2 2\n1 1 {a}\n\n2 2 {b}\n", "refuse")
    yield case("blank_at_end", f"{head}2 2 1\n1 1 {a}\n\n", "read")
    yield case("blank_before_size", f"{head}\n2 2 1\n1 1 {a}\n", "refuse")
    yield case("crlf", f"{head}2 2 1\n1 1 {a}\n".replace("\n", "\r\n"), "read")
    yield case("lone_cr", f"{head}2 2 1\n1 1 {a}\n".replace("\n", "\r"), "refuse")
    yield case("tabs", f"{head}2 2 1\n1\t1\t{a}\n", "refuse")
    yield case("nbsp", f"{head}2 2 1\n1\u00a01 {a}\n", "refuse")
    yield case("spaces", f"{head}  2   2  1 \n 1  1   {a}  \n", "read")
    yield case("no_final_newline", f"{head}2 2 1\n1 1 {a}", "read")
    yield case("utf8_mark", b"\xef\xbb\xbf" + f"{head}2 2 1\n1 1 {a}\n".encode(), "read")
    yield case("utf16", f"{head}2 2 1\n1 1 {a}\n".encode("utf-16"), "refuse")
    yield case("empty_file", "", "refuse")
    yield case("banner_only", head, "refuse")
    yield case("size_only", f"{head}2 2 1\n", "refuse")
    yield case("quoted_value", f'{head}2 2 1\n1 1 "{a}"\n', "refuse")
    yield case("nul", f"{head}2 2 1\n1 1 \0\n", "refuse")
    yield case("long_line", f"{head}% " + "x" * 5000 + f"\n2 2 1\n1 1 {a}\n", "refuse", max_line_bytes=2000)
    yield case("random_bytes", head.encode() + rng.bytes(100), "refuse")


def tns(rng):
    a, b = (repr(float(x)) for x in rng.standard_normal(2))
    def case(name, text, what, **options):
        return name, "tns", text if isinstance(text, bytes) else text.encode(), what, options
    for name, field, what in text_values():
        yield case("value_" + name, f"1 1 1 {a}\n1 2 1 {field}\n", what)
    for number in HUGE:
        yield case(f"index_{number}", f"1 1 1 {a}\n1 {number} 1 {b}\n", "refuse")
    for name, index in (("zero", "0"), ("negative", "-1"), ("float", "1.0"), ("hex", "0x1"), ("text", "a"),
                        ("nan", "nan"), ("comma", "1,")):
        yield case("index_" + name, f"1 1 1 {a}\n1 {index} 1 {b}\n", "refuse")
    yield case("huge_size_tiny_body", f"1 2000000000 1 {a}\n", "refuse")
    yield case("zero_based", f"0 0 0 {a}\n1 2 0 {b}\n", "read", index_base=0)
    yield case("zero_based_as_one", f"0 0 0 {a}\n1 2 0 {b}\n", "refuse")
    yield case("shape", f"1 1 1 {a}\n", "read", shape=[3, 4, 5])
    yield case("shape_too_small", f"1 5 1 {a}\n", "refuse", shape=[3, 4, 5])
    yield case("shape_other_modes", f"1 1 1 {a}\n", "refuse", shape=[3, 4])
    yield case("duplicate", f"1 1 1 {a}\n1 1 1 {b}\n", "refuse")
    yield case("unsorted", f"2 1 1 {a}\n1 2 1 {b}\n1 1 1 3\n", "read")
    yield case("short_row", f"1 1 1 {a}\n1 1 {b}\n", "refuse")
    yield case("long_row", f"1 1 1 {a}\n1 1 1 1 {b}\n", "refuse")
    yield case("one_field", "5\n", "refuse")
    yield case("one_mode", f"1 {a}\n3 {b}\n", "read")
    yield case("two_modes", f"1 1 {a}\n3 2 {b}\n", "read")
    yield case("many_modes", " ".join(["1"] * 33) + f" {a}\n", "refuse")
    yield case("header", f"3\n2 2 2\n1 1 1 {a}\n", "refuse")
    yield case("no_entries", "# nothing\n", "refuse")
    yield case("empty_file", "", "refuse")
    yield case("comments", f"# one\n#two\n1 1 1 {a}\n", "read")
    yield case("comment_inside", f"1 1 1 {a}\n# note\n1 2 1 {b}\n", "refuse")
    yield case("blank_inside", f"1 1 1 {a}\n\n1 2 1 {b}\n", "refuse")
    yield case("blank_first", f"\n1 1 1 {a}\n", "refuse")
    yield case("blank_at_end", f"1 1 1 {a}\n\n\n", "read")
    yield case("crlf", f"1 1 1 {a}\r\n1 2 1 {b}\r\n", "read")
    yield case("lone_cr", f"1 1 1 {a}\r1 2 1 {b}\r", "refuse")
    yield case("no_final_newline", f"1 1 1 {a}\n1 2 1 {b}", "read")
    yield case("tabs", f"1\t1\t1\t{a}\n", "refuse")
    yield case("nbsp", f"1\u00a01 1 {a}\n", "refuse")
    yield case("utf8_mark", b"\xef\xbb\xbf" + f"1 1 1 {a}\n".encode(), "read")
    yield case("utf16", f"1 1 1 {a}\n".encode("utf-16"), "refuse")
    yield case("nan", f"1 1 1 nan\n2 1 1 {a}\n", "read")
    yield case("long_line", "1 " * 3000 + "\n", "refuse", max_line_bytes=2000)
    yield case("random_bytes", rng.bytes(100), "refuse")


def npy_bytes(header, body=b"", version=1, pad=True):
    text = header.encode("latin1") if isinstance(header, str) else header
    if pad:
        text += b" " * (63 - (10 + len(text)) % 64) + b"\n"
    length = struct.pack("<H", len(text)) if version == 1 else struct.pack("<I", len(text))
    return b"\x93NUMPY" + bytes([version, 0]) + length + text + body


def header(descr="'<f8'", order="False", shape="(2, 2)", extra=""):
    return f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, {extra}}}"


def npy(rng):
    body = rng.standard_normal(4).tobytes()
    def case(name, data, what):
        return name, "npy", data, what, {}
    good = npy_bytes(header(), body)
    yield case("good", good, "read")
    for version in (0, 4, 255):
        yield case(f"version_{version}", npy_bytes(header(), body, version), "refuse")
    yield case("minor_version", good[:7] + b"\x01" + good[8:], "refuse")
    yield case("version_2", npy_bytes(header(), body, 2), "read")
    yield case("version_3", npy_bytes(header(), body, 3), "read")
    yield case("magic", b"\x93NUMPX" + good[6:], "refuse")
    yield case("empty_file", b"", "refuse")
    yield case("trailing_byte", good + b"\0", "refuse")
    yield case("trailing_value", good + body[:8], "refuse")
    yield case("one_value_short", good[:-8], "refuse")
    yield case("one_byte_short", good[:-1], "refuse")
    for descr in ("'|O'", "'|O8'", "'<c16'", "'<c8'", "'|S8'", "'<U2'", "'<M8[ns]'", "'<m8[s]'", "'|V8'", "'<f16'", "'<f3'",
                  "'f8'", "'float64'", "''", "'<'", "'<f'", "'<f-8'", "'<f+8'", "'<f8x'", "'?'", "[('a', '<f8')]",
                  "[('a', '<f8'), ('b', '<i4')]", "('<f8', (2,))", "None", "8", "'|f8'", "'|i4'", "'<f0'", "'<i3'", "'<i16'",
                  "'<f99999999999999999999'"):
        yield case("descr_" + descr, npy_bytes(header(descr), body), "refuse")
    yield case("native", npy_bytes(header("'=f8'"), body), "read")
    yield case("big_endian", npy_bytes(header("'>f8'"), body), "read")
    yield case("fortran", npy_bytes(header(order="True"), body), "read")
    for order in ("0", "1", "None", "'True'", "true"):
        yield case("order_" + order, npy_bytes(header(order=order), body), "refuse")
    for shape in ("()", "(4)", "(-2, -2)", "(2, 2.0)", "(0, 2)", "(2, 0)", "[2, 2]", "2", "(2 2)", "(2,, 2)", "(,)", "(2, 2", "(True, 4)",
                  "(2L, 2L)", "(0x2, 2)", "(65536, 65536)", f"({2**32}, {2**32})", f"({2**63 - 1},)", f"({2**63},)", f"({2**64}, 1)",
                  f"({2**61}, 1)", f"({10**40}, 1)", "(3, 2)", "(1, 2)", f"({','.join(['1'] * 40)})", "(None,)"):
        yield case("shape_" + shape[:40], npy_bytes(header(shape=shape), body), "refuse")
    yield case("shape_one", npy_bytes(header(shape="(4,)"), body), "read")
    yield case("shape_three", npy_bytes(header(shape="(2, 1, 2)"), body), "read")
    yield case("shape_spaces", npy_bytes(header(shape="( 2 ,2 , )"), body), "read")
    yield case("key_missing", npy_bytes("{'descr': '<f8', 'shape': (2, 2), }", body), "refuse")
    yield case("key_extra", npy_bytes(header(extra="'x': 1, "), body), "refuse")
    yield case("key_twice", npy_bytes(header(extra="'shape': (2, 2), "), body), "refuse")
    yield case("double_quotes", npy_bytes(header().replace("'", '"'), body), "read")
    yield case("no_spaces", npy_bytes(header().replace(" ", ""), body), "read")
    yield case("no_dictionary", npy_bytes("(2, 2)", body), "refuse")
    yield case("expression", npy_bytes(header(shape="(1+1, 2)"), body), "refuse")
    yield case("call", npy_bytes("__import__('os').system('true')", body), "refuse")
    yield case("after_dictionary", npy_bytes(header() + " 1", body), "refuse")
    yield case("unclosed", npy_bytes(header()[:-1], body), "refuse")
    yield case("header_not_utf8", npy_bytes(header().encode() + b"\xff", body), "refuse")
    yield case("header_nul", npy_bytes(header().encode() + b"\0", body), "refuse")
    yield case("header_64k", npy_bytes(header() + " " * 70000, body, 2), "refuse")
    yield case("header_length_lies", good[:8] + b"\xff\xff" + good[10:], "refuse")
    yield case("header_length_4g", b"\x93NUMPY\x02\0\xff\xff\xff\xff" + good[10:], "refuse")
    yield case("header_length_zero", good[:8] + b"\0\0" + good[10:], "refuse")
    values = rng.standard_normal(4)
    values[2] = np.inf
    yield case("infinite", npy_bytes(header(), values.tobytes()), "refuse")
    values[2] = np.nan
    yield case("missing", npy_bytes(header(), values.tobytes()), "read")
    yield case("bool", npy_bytes(header("'|b1'"), b"\0\1\1\0"), "read")
    yield case("bool_two", npy_bytes(header("'|b1'"), b"\0\2\1\0"), "refuse")
    yield case("half_infinite", npy_bytes(header("'<f2'"), struct.pack("<4H", 1, 0x7C00, 2, 3)), "refuse")
    yield case("half_denormal", npy_bytes(header("'<f2'"), struct.pack("<4H", 1, 0x83FF, 0x7BFF, 0x8000)), "read")
    yield case("uint64", npy_bytes(header("'<u8'"), struct.pack("<4Q", 2**64 - 1, 2**63, 2**53 + 1, 0)), "read")
    yield case("random_bytes", rng.bytes(100), "refuse")
    yield case("random_header", good[:10] + rng.bytes(118) + body, "refuse")


def zipped(members, method=zipfile.ZIP_DEFLATED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return out.getvalue()


def saved(array):
    out = io.BytesIO()
    np.save(out, array, allow_pickle=True)
    return out.getvalue()


def npz(rng):
    def case(name, data, what, **options):
        return name, "npz", data, what, options
    x = rng.standard_normal((2, 2))
    matrix = scipy.sparse.random(5, 4, 0.5, "csr", random_state=int(rng.integers(1000)))
    def parts(**change):
        good = dict(format=np.array(b"csr"), shape=np.array(matrix.shape), data=matrix.data, indices=matrix.indices,
                    indptr=matrix.indptr)
        good.update(change)
        return zipped([(name + ".npy", saved(value)) for name, value in good.items() if value is not None])
    yield case("sparse", parts(), "read")
    yield case("unicode_format", parts(format=np.array("csr")), "read")
    yield case("bsr", parts(format=np.array(b"bsr")), "refuse")
    yield case("dia", parts(format=np.array(b"dia")), "refuse")
    yield case("format_number", parts(format=np.array(7)), "refuse")
    yield case("format_list", parts(format=np.array([b"csr"])), "refuse")
    yield case("format_object", parts(format=np.array("csr", dtype=object)), "refuse")
    for name in ("shape", "data", "indices", "indptr"):
        yield case("without_" + name, parts(**{name: None}), "refuse")
    yield case("extra_array", parts(more=np.array([1])), "refuse")
    for shape in ([0, 4], [5, 0], [-5, 4], [4, 4], [5, 3], [5], [5, 4, 1], [2**31, 4], [5, 2**31], [2 * 10**9, 4], [2.0, 2.0]):
        yield case(f"shape_{shape}", parts(shape=np.array(shape)), "refuse")
    bad = matrix.indices.copy()
    bad[1] = 4
    yield case("index_over", parts(indices=bad), "refuse")
    bad[1] = -1
    yield case("index_negative", parts(indices=bad), "refuse")
    yield case("index_float", parts(indices=matrix.indices.astype(float)), "refuse")
    yield case("index_wide", parts(indices=matrix.indices.astype(np.int64)), "read")
    yield case("index_unsigned", parts(indices=matrix.indices.astype(np.uint64)), "either")
    yield case("index_short", parts(indices=matrix.indices[:-1]), "refuse")
    yield case("data_short", parts(data=matrix.data[:-1]), "refuse")
    bad = matrix.indptr.copy()
    bad[-1] += 1
    yield case("pointers_end", parts(indptr=bad), "refuse")
    bad = matrix.indptr.copy()
    bad[0] = 1
    yield case("pointers_start", parts(indptr=bad), "refuse")
    bad = matrix.indptr.copy()
    bad[2] = bad[-1] + 5
    yield case("pointers_fall", parts(indptr=bad), "refuse")
    bad[2] = -5
    yield case("pointers_negative", parts(indptr=bad), "refuse")
    yield case("pointers_short", parts(indptr=matrix.indptr[:-1]), "refuse")
    yield case("unsorted", parts(data=np.array([1.0, 2.0]), indices=np.array([2, 0]), indptr=np.array([0, 2, 2, 2, 2, 2])), "read")
    yield case("duplicate", parts(data=np.array([1.0, 2.0]), indices=np.array([2, 2]), indptr=np.array([0, 2, 2, 2, 2, 2])), "refuse")
    yield case("infinite", parts(data=matrix.data * np.inf), "refuse")
    yield case("missing", parts(data=matrix.data * np.nan), "read")
    yield case("complex", parts(data=matrix.data * 1j), "refuse")
    yield case("no_entries", parts(data=matrix.data[:0], indices=matrix.indices[:0], indptr=matrix.indptr * 0), "read")
    yield case("one_array", zipped([("x.npy", saved(x))]), "array")
    yield case("one_stored", zipped([("x.npy", saved(x))], zipfile.ZIP_STORED), "array")
    yield case("two_arrays", zipped([("x.npy", saved(x)), ("y.npy", saved(x))]), "refuse")
    yield case("same_name", zipped([("x.npy", saved(x)), ("x.npy", saved(2 * x))]), "refuse")
    yield case("other_file", zipped([("x.npy", saved(x)), ("readme.txt", b"hello")]), "refuse")
    yield case("no_members", zipped([]), "refuse")
    yield case("object", zipped([("x.npy", saved(np.array([{}, 1], dtype=object)))]), "refuse")
    yield case("not_npy", zipped([("x.npy", b"hello")]), "refuse")
    yield case("path_name", zipped([("../../x.npy", saved(x))]), "array")
    yield case("bzip2", zipped([("x.npy", saved(x))], zipfile.ZIP_BZIP2), "refuse")
    yield case("lzma", zipped([("x.npy", saved(x))], zipfile.ZIP_LZMA), "refuse")
    whole = zipped([("x.npy", saved(x))], zipfile.ZIP_STORED)
    place = whole.index(x.tobytes())
    yield case("crc", whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1:], "refuse")
    yield case("bomb", zipped([("x.npy", npy_bytes(header(shape="(5000, 1000)"), bytes(40_000_000)))]), "refuse")
    yield case("claims_more", zipped([("x.npy", npy_bytes(header(shape="(65536, 65536)"), bytes(64)))]), "refuse")
    yield case("trailing", zipped([("x.npy", saved(x) + b"\0")]), "refuse")
    yield case("empty_file", b"", "refuse")
    yield case("random_bytes", rng.bytes(200), "refuse")


GENERATORS = [tables, matrix_market, tns, npy, npz]
