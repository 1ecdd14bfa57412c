"""What the graph lane knows of names: which memories they stand for, and NAMES edges to those."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from channels.base import BankKey, MemoryKey
from channels.connection import Connection
from channels.links import NewEdge, insert
from channels.statements import key_array, statement
from channels.subjects import Words, mentions, name_terms, subjects

SHARED = 3  # memories one name may stand for: beyond, as of a speaker, it tells none of them apart
NAMED = 30  # memories that may name one name
PER_MEMORY = 12  # names one memory's edges start from, longest first
LOOKED_AT = 200  # memories with a name's rarest word that are read for it

Found = Mapping[int, Sequence[MemoryKey]]  # name -> memories it stands for


@dataclass(frozen=True, slots=True)
class Said:
    """What a memory says, and is called."""

    key: MemoryKey
    text: str  # without a leading "Speaker: "
    title: str | None
    is_spoken: bool = False  # a turn with a speaker

    def subjects(self) -> dict[int, Words]:
        """The names that stand for it, key -> words."""
        return subjects(self.title, self.text, is_spoken=self.is_spoken)


def naming_edges(key: MemoryKey, named: Mapping[int, int], found: Found) -> list[NewEdge]:
    """Edges from a memory to those that the names in it stand for, the longest names first.

    `named`: name -> its words. At most PER_MEMORY names count; none that stands for the memory
    itself, nor for more than SHARED memories.
    """
    names = [name for name in named if 0 < len(found.get(name, ())) <= SHARED]
    names = [name for name in names if key not in found[name]]
    names.sort(key=lambda name: (-named[name], name))
    return [
        NewEdge(key, other, "NAMES", 1.0, "name", name)
        for name in names[:PER_MEMORY]
        for other in found[name]
    ]


async def link_names(conn: Connection, bank: BankKey, fresh: Sequence[Said], now: datetime) -> None:
    """Store the names of fresh memories, and link them both ways with those that name or are named.

    Their postings must be stored. Names that too many memories have or mention link nothing.
    """
    called = {said.key: said.subjects() for said in fresh}
    await _store(conn, bank, called)
    named = {said.key: mentions(said.text) for said in fresh}
    edges = await _edges(conn, bank, named)
    words = {name: words for found in called.values() for name, words in found.items()}
    earlier = await _earlier(conn, bank, words, frozenset(called))
    edges += await _edges(conn, bank, earlier)
    await insert(conn, bank, edges, now)
    await _unlink_common(conn, bank, [*words, *(edge.via for edge in edges)])


async def forget_names(conn: Connection, bank: BankKey, keys: Sequence[MemoryKey]) -> None:
    """Take the names of the memories away; their edges go with those of the other rules."""
    await conn.execute(statement("delete_subjects"), {"bank": bank, "keys": list(keys)})


async def _store(
    conn: Connection, bank: BankKey, called: Mapping[MemoryKey, Mapping[int, Words]]
) -> None:
    pairs = [(key, name) for key, names in called.items() for name in names]
    if pairs:
        columns = {"keys": [key for key, _ in pairs], "names": [name for _, name in pairs]}
        await conn.execute(statement("insert_subjects"), {"bank": bank, **columns})


async def _edges(
    conn: Connection, bank: BankKey, named: Mapping[MemoryKey, Mapping[int, int]]
) -> list[NewEdge]:
    """Edges from each memory to what its names stand for."""
    names = sorted({name for found in named.values() for name in found})
    if not names:
        return []
    values = {"bank": bank, "names": key_array(map(MemoryKey, names)), "most": SHARED}
    found: dict[int, list[MemoryKey]] = defaultdict(list)
    for name, key in await (await conn.execute(statement("subjects_named"), values)).fetchall():
        found[name].append(MemoryKey(key))
    return [edge for key, names in named.items() for edge in naming_edges(key, names, found)]


async def _earlier(
    conn: Connection, bank: BankKey, words: Mapping[int, Words], fresh: frozenset[MemoryKey]
) -> dict[MemoryKey, dict[int, int]]:
    """Memories stored before that mention one of the names: key -> name -> its words."""
    holders = await _holders(conn, bank, words)
    keys = sorted({key for found in holders.values() for key in found} - fresh)
    wanted: dict[MemoryKey, set[int]] = defaultdict(set)
    for name, found in holders.items():
        for key in found:
            wanted[key].add(name)
    said = await texts_of(conn, bank, keys)
    return {
        one.key: {name: n for name, n in mentions(one.text).items() if name in wanted[one.key]}
        for one in said
    }


async def _holders(
    conn: Connection, bank: BankKey, words: Mapping[int, Words]
) -> dict[int, list[MemoryKey]]:
    """Memories that say all words of a name, in whatever order, by name."""
    terms = {name: name_terms(of) for name, of in words.items()}
    every = sorted({term for found in terms.values() for term in found})
    values: dict[str, object] = {"bank": bank, "terms": key_array(map(MemoryKey, every))}
    rows = await (await conn.execute(statement("own_frequencies"), values)).fetchall()
    df = dict(rows)
    known = {name: found for name, found in terms.items() if found and df.keys() >= set(found)}
    rarest = {name: min(found, key=lambda term: (df[term], term)) for name, found in known.items()}
    names = [name for name, term in rarest.items() if df[term] <= LOOKED_AT]
    others = [[MemoryKey(term) for term in known[name] if term != rarest[name]] for name in names]
    values = {
        "bank": bank,
        "places": list(range(len(names))),
        "rarest": [rarest[name] for name in names],
        "others": list(map(key_array, others)),
        "most": LOOKED_AT,
    }
    found_by: dict[int, list[MemoryKey]] = defaultdict(list)
    for place, key in await (await conn.execute(statement("name_holders"), values)).fetchall():
        found_by[names[place]].append(MemoryKey(key))
    return found_by


async def texts_of(conn: Connection, bank: BankKey, keys: Iterable[MemoryKey]) -> list[Said]:
    """What the memories say, ordered by key."""
    values = {"bank": bank, "keys": key_array(keys)}
    rows = await (await conn.execute(statement("texts_of"), values)).fetchall()
    return [Said(MemoryKey(key), text, title, spoken) for key, text, title, spoken in rows]


async def _unlink_common(conn: Connection, bank: BankKey, names: Sequence[int]) -> None:
    values: dict[str, object] = {"bank": bank, "names": key_array(map(MemoryKey, set(names)))}
    bounds = {"shared": SHARED, "named": NAMED}
    rows = await (await conn.execute(statement("mark_common_names"), values | bounds)).fetchall()
    if rows:
        common = key_array({MemoryKey(row[0]) for row in rows})
        await conn.execute(statement("unlink_names"), values | {"names": common})
