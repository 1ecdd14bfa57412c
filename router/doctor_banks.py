"""Is a bank sound? Its model, statistics, memories, index, events and records."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from channels.connection import Transaction
from channels.errors import RecallError
from channels.no_model import has_model
from channels.tokens import gives_tokens
from feedback.parking import PARKING
from router.embedders import Embedders, check_dim
from router.finding import Finding, judged
from router.meaning import Meaning
from router.store import soundness
from router.store.backfill import wordless
from router.store.banks import Bank
from router.store.soundness import Drift, Incomplete, VectorIndex, Waiting

MAINTAIN = "run `fivefold maintain`"
AGAIN = "delete these memories and store them again"
GRACE = timedelta(hours=1)  # upkeep runs every ten minutes while something serves


async def examine_bank(
    transaction: Transaction,
    bank: Bank,
    embedders: Embedders,
    indexes: Sequence[VectorIndex],
    *,
    bound: int,
) -> list[Finding]:
    """Everything about one bank. `bound`: memories up to which no vector index is needed."""
    # Before the transaction, which the server ends when it idles as long as a model may load.
    model, gives_tokens = await model_of(bank, embedders)
    async with transaction(bank.key) as conn:
        counts = await soundness.drift(conn, bank.key)
        lacking = await soundness.incomplete(conn, bank)
        waiting = await soundness.waiting(conn, bank.key)
        bare = await wordless(conn, bank.key)
    half_read = await Meaning(transaction, embedders).half_read(bank) if gives_tokens else 0
    return [
        model,
        *statistics(bank, counts),
        words(bank, bare),
        *memories(bank, lacking, gives_tokens=gives_tokens),
        long_texts(bank, half_read),
        vector_index(bank, counts.counted.live, indexes, bound=bound),
        *events(bank, waiting, datetime.now(UTC)),
    ]


async def model_of(bank: Bank, embedders: Embedders) -> tuple[Finding, bool]:
    """Whether the bank's model loads and gives what the bank holds, and whether it gives tokens."""
    if not has_model(bank.embedder_name):
        detail = "none, by its configuration: words, times, feelings and edges answer"
        return Finding("model", "ok", detail, None, bank.name), False
    try:
        embedder = embedders.named(bank.embedder_name)
        served, found = embedder.served, await embedder.embed_tokens(["ready"])
        check_dim(bank, found)
    except (RecallError, RuntimeError, OSError) as error:
        hint = "put the model back; until then the bank answers without its vectors"
        return Finding("model", "fail", str(error), hint, bank.name), False
    suited = "token vectors" if gives_tokens(bank.embedder_name) else "one vector a text"
    detail = f"{bank.embedder_name}, {bank.dim} dimensions, {served}; default rows for {suited}"
    return Finding("model", "ok", detail, None, bank.name), found[0].tokens is not None


def statistics(bank: Bank, found: Drift) -> list[Finding]:
    """Whether what is kept counted equals a recount."""
    kept, counted = found.kept, found.counted
    return [
        judged("term_stats", not found.terms, f"{found.terms} terms differ from a recount",
               MAINTAIN, bank=bank.name),
        judged("bank_stats", kept.same_index(counted),
               f"documents {kept.docs}, counted {counted.docs}; "
               f"length {kept.length:.1f}, counted {counted.length:.1f}",
               MAINTAIN, bank=bank.name),
        judged("live_rows", kept.live == counted.live,
               f"memories in force {kept.live}, counted {counted.live}", MAINTAIN, bank=bank.name),
        judged("entities", not found.entities,
               f"{found.entities} entities differ from a recount", MAINTAIN, bank=bank.name),
    ]  # fmt: skip


def words(bank: Bank, bare: int) -> Finding:
    """Whether prefixes find every word, and names every memory: older releases kept neither."""
    detail = f"{bare} words are kept by hash alone"
    return judged("words", not bare, detail, MAINTAIN, bank=bank.name, otherwise="warn")


def memories(bank: Bank, found: Incomplete, *, gives_tokens: bool) -> list[Finding]:
    """Whether memories lack postings, a vector or token vectors."""
    of = f"of {found.rows} memories"
    no_tokens = found.no_tokens if gives_tokens else 0
    detail = f"{no_tokens} {of} have no token vectors"
    if not gives_tokens:
        detail = "the model gives no token vectors"
    no_vector = found.no_vector if has_model(bank.embedder_name) else 0
    vectors = f"{no_vector} {of} have no vector"
    if not has_model(bank.embedder_name):
        vectors = detail = "the bank keeps no vectors"
    return [
        judged("postings", not found.no_postings, f"{found.no_postings} {of} have no postings",
               "a text of stop words alone has none; otherwise " + AGAIN,
               bank=bank.name, otherwise="warn"),
        judged("vectors", not no_vector, vectors, AGAIN, bank=bank.name, otherwise="warn"),
        judged("one_model", not found.other_model, f"{found.other_model} {of} are of another model",
               AGAIN, bank=bank.name),
        judged("token_vectors", not no_tokens, detail, AGAIN, bank=bank.name, otherwise="warn"),
    ]  # fmt: skip


def long_texts(bank: Bank, half_read: int) -> Finding:
    """Whether an earlier release stopped reading where a later one goes on."""
    detail = f"{half_read} memories are read by meaning at their beginning only"
    return judged("long_texts", not half_read, detail, MAINTAIN, bank=bank.name, otherwise="warn")


def vector_index(bank: Bank, live: int, indexes: Sequence[VectorIndex], *, bound: int) -> Finding:
    """Whether the bank has the index that its size asks for, and it can be used."""
    mine = next((index for index in indexes if index.bank == bank.name), None)
    if not bank.dim:
        return Finding("vector_index", "ok", "none; the bank keeps no vectors", None, bank.name)
    if mine is None:
        detail = f"none; {live} memories, exact up to {bound}"
        return judged("vector_index", live <= bound, detail, MAINTAIN, bank=bank.name)
    if mine.is_building:
        return Finding("vector_index", "ok", f"{mine.name} is being built", None, bank.name)
    detail = f"{mine.name} is {'valid' if mine.is_valid else 'not valid'}"
    return judged("vector_index", mine.is_valid, detail, MAINTAIN, bank=bank.name)


def events(bank: Bank, found: Waiting, now: datetime) -> list[Finding]:
    """Whether parked events expire, and what is on record."""
    is_late = found.oldest is not None and now - found.oldest > PARKING + GRACE
    parked = f"{found.parked} events wait for their recall"
    if found.oldest is not None:
        parked += f", the oldest since {found.oldest.isoformat(timespec='seconds')}"
    records = f"{found.recalls} recalls on record"
    if found.newest is not None:
        records += f", the newest of {found.newest.isoformat(timespec='seconds')}"
    hint = "they expire while `fivefold serve` runs; is it running?"
    return [
        judged("parked_events", not is_late, parked, hint, bank=bank.name, otherwise="warn"),
        Finding("records", "ok", records, None, bank.name),
    ]
