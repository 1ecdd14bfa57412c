from router.jsonl import read_lines


def lines(path, raw):
    path.write_bytes(raw)
    return list(read_lines(path))


def test_a_bad_line_costs_only_itself(tmp_path):
    rows = [b'{"n": %d}' % number for number in range(1, 1_001)]
    rows[6] = b'{"n": '
    found = lines(tmp_path / "f", b"\n".join(rows))
    assert [line.number for line in found if line.problem] == [7]
    assert sum(line.value is not None for line in found) == 999


def test_numbers_count_blank_lines_and_those_are_left_out(tmp_path):
    found = lines(tmp_path / "f", b"\xef\xbb\xbf1\r\n\n \r\n2")
    assert [(line.number, line.value) for line in found] == [(1, 1), (4, 2)]


def test_each_kind_of_damage_has_its_reason(tmp_path):
    damaged = [b'"\xff"', b"[" * 200_000, b"NaN", b"9" * 5_000, b'{"a" 1}']
    found = lines(tmp_path / "f", b"\n".join([*damaged, b"true"]))
    reasons = [line.problem for line in found]
    assert "UTF-8" in reasons[0]
    assert "nested" in reasons[1]
    assert "NaN" in reasons[2]
    assert reasons[3]
    assert "column" in reasons[4]
    assert reasons[5] is None
