"""The feeling a question asks for, and silence where it asks for none."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from channels.affect import behaviour_state, combine, label_state, text_state, trajectory
from channels.arcs import crossfade, decode, dimension, state_of
from channels.base import AffectTarget, Vector
from router.understand.affect import affect_target, read_feeling


def target(text: str) -> AffectTarget:
    found = affect_target(text)
    assert found is not None, text
    return found


def best(asked: AffectTarget, memory: Vector | None) -> float:
    assert memory is not None
    return max(float(vector @ memory) for vector in asked.vectors)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("When was the user frustrated with the importer?", "annoyance"),
        ("times I felt ready", "optimism"),
        ("what made Ben so nervous before the talk", "nervousness"),
        ("a moment of doubt", "confusion"),
        ("when was I surprised by a colleague", "surprise"),
        ("moments of wonder", "admiration"),
        ("did anybody feel really let down?", "disappointment"),
        ("wann war sie traurig", "sadness"),
        ("quand était-il furieux ?", "anger"),
        ("cuándo estaba feliz", "joy"),
        ("她什么时候感到害怕", "fear"),
        ("嬉しかったのはいつ", "joy"),
    ],
)
def test_a_feeling_is_read(text: str, label: str) -> None:
    asked = target(text)
    assert asked.labels[label] >= 0.5
    assert asked.cues


@pytest.mark.parametrize(
    "text",
    [
        "",
        "What is the capital of France?",
        "What does Ann love to cook?",
        "Which books do I like?",
        "Who planned the surprise party?",
        "What is Tom interested in?",
        "Do I want milk or sugar?",
        "Who takes care of the dog?",
        "happy hour at the corner bar",
        "kernel panic after the update",
        "What did she hope to study?",
        "Is the build stuck?",
        "How did Ann feel about the good news from the lab?",
        "I felt like going out",
        "thanks for the help, what is next?",
        "What is the error rate of the pressure sensor?",
        "我想要什么",
    ],
)
def test_topics_are_left_alone(text: str) -> None:
    assert affect_target(text) is None


@given(st.text(max_size=120))
def test_any_text_gives_nothing_or_unit_arcs(text: str) -> None:
    found = affect_target(text)
    if found is not None:
        assert found.vectors
        for vector in found.vectors:
            assert vector.shape == (132,)
            assert vector.dtype == np.float32
            assert np.linalg.norm(vector) == pytest.approx(1.0, abs=1e-5)
        assert all(0.0 < part <= 1.0 for part in found.labels.values())


def test_negated_pleasure_is_its_lack_and_negated_anger_is_nothing() -> None:
    assert set(target("when was I not happy").labels) == {"sadness", "disappointment"}
    assert affect_target("he was never angry") is None
    assert affect_target("she wasn't at all scared") is None
    assert "sadness" in target("not only sad but broken").labels


def test_intensifiers_move_the_intensity() -> None:
    mild, plain, strong = (
        target(f"when was I {word} scared").labels["fear"] for word in ("slightly", "", "extremely")
    )
    assert mild < plain < strong <= 1.0


def test_without_a_shape_the_four_templates_are_asked_for() -> None:
    assert len(target("when was I scared").vectors) == 4


@pytest.mark.parametrize(
    "text",
    [
        "from terrified to relieved",
        "I was terrified at first, then relieved",
        "terrified until relieved",
        "relieved after being terrified",
    ],
)
def test_a_turn_from_one_feeling_to_another_is_one_ordered_arc(text: str) -> None:
    asked = target(text)
    fear, relief = state_of([("fear", 1.0)]), state_of([("relief", 1.0)])
    assert len(asked.vectors) == 1
    assert best(asked, crossfade(fear, relief)) > 1.5 * best(asked, crossfade(relief, fear))


@pytest.mark.parametrize(
    ("text", "rises"),
    [("increasingly anxious", True), ("less and less anxious", False)],
)
def test_growing_and_fading_point_in_opposite_directions(text: str, rises: bool) -> None:
    asked = target(text)
    fear, nothing = state_of([("nervousness", 1.0)]), np.zeros(33)
    up, down = crossfade(nothing, fear), crossfade(fear, nothing)
    assert (best(asked, up) > best(asked, down)) is rises


@pytest.mark.parametrize("text", ["suddenly terrified", "a flash of anger"])
def test_a_sudden_feeling_is_one_arc_that_comes_and_goes(text: str) -> None:
    asked = target(text)
    assert len(asked.vectors) == 1
    drawn = decode(asked.vectors[0])[:, dimension(max(asked.labels, key=lambda x: asked.labels[x]))]
    assert drawn[24] > max(drawn[0], drawn[-1]) + 0.1


def test_getting_over_a_feeling_ends_in_relief() -> None:
    asked = target("how did I get over being so sad")
    sad, relief = state_of([("sadness", 1.0)]), state_of([("relief", 1.0)])
    assert best(asked, crossfade(sad, relief)) > best(asked, crossfade(relief, sad))


def test_calming_down_needs_no_other_word() -> None:
    assert target("when did she calm down?").cues == ("calm down",)


def test_frustration_is_found_in_behaviour_in_labels_and_in_valence_alone() -> None:
    asked = target("When was somebody frustrated?")
    for memory in (
        combine(None, behaviour_state({"retries": 5, "errors": 3}), None),
        combine(None, None, label_state([{"label": "annoyed", "intensity": 0.5}])),
        combine(None, None, label_state([{"label": "valence", "intensity": -0.7}])),
    ):
        assert best(asked, trajectory([memory])) > 0.02
    pleased = combine(None, None, label_state([{"label": "joy"}]))
    assert best(asked, trajectory([pleased])) <= 0.0


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "share"),
    [("locomo", 0.06), ("realtalk", 0.06), ("longmemeval_pool", 0.06), ("timeqa", 0.01)],
)
def test_questions_about_facts_seldom_speak_of_feelings(
    shared_data: Path, name: str, share: float
) -> None:
    texts = _texts(shared_data / "retrieval" / name / "queries.jsonl")
    assert sum(affect_target(text) is not None for text in texts) < share * len(texts)


@pytest.mark.shared
def test_questions_that_name_a_feeling_are_nearly_all_heard(shared_data: Path) -> None:
    texts = _texts(shared_data / "retrieval" / "empathetic" / "queries.jsonl", "emotion-label")
    assert sum(affect_target(text) is not None for text in texts) >= 0.9 * len(texts)


@pytest.mark.shared
def test_texts_of_the_feeling_asked_for_score_above_the_others(shared_data: Path) -> None:
    folder = shared_data / "retrieval" / "empathetic"
    with (folder / "memories.jsonl").open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    asked = target("times when I felt terrified")
    scores: dict[bool, list[float]] = {True: [], False: []}
    for row in rows[:600]:
        state = text_state(row["text"])
        arc = None if state is None else trajectory([combine(state, None, None)])
        score = 0.0 if arc is None else best(asked, arc)
        scores[row["meta"]["emotion"] in ("afraid", "terrified")].append(score)
    assert np.mean(scores[True]) > 3 * np.mean(scores[False])


def _texts(path: Path, kind: str | None = None) -> list[str]:
    with path.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [row["text"] for row in rows if kind is None or row["type"] == kind]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("times when I felt dumb", "annoyance"),
        ("when did she feel really brilliant?", "admiration"),
        ("who was feeling so creeped out?", "fear"),
    ],
)
def test_a_word_that_is_in_no_table_is_read_by_the_model_after_felt(text: str, label: str) -> None:
    read = read_feeling(text)
    assert read.target is not None
    assert read.target.is_unsure
    assert max(read.target.labels, key=read.target.labels.__getitem__) == label


@pytest.mark.parametrize(
    "text",
    [
        "how does she feel about the lease?",
        "what did Ida feel like after the walk?",
        "what is the brilliant form of the charge?",
        "times when I felt zorbly",
    ],
)
def test_other_words_after_felt_or_elsewhere_name_no_feeling(text: str) -> None:
    assert read_feeling(text).target is None


DENIED_UNPLEASANT = """
he isnt angry | we dont feel sad | nobody was upset | no one at work was upset | he aint angry
she was not at all scared | wasn't sad, angry or scared | neither sad nor angry | free of anxiety
nothing was scary | without being annoyed | rarely angry | I don't think he was angry
not in the least scared | nowhere near furious | they werent frustrated
ni triste ni enfadada | personne n'était triste
er war nie wütend | 没有生气 | 他不太难过 | 没有感到害怕 | 怖くなかった | 怒っていない
不安ではない | 怒ったことがない | 緊張しなかった | 悲しくありません
"""
DENIED_PLEASANT = """
she wasnt happy | anything but happy | far from happy | nobody was happy | less than thrilled
I don't think she was happy | nothing made her happy | er ist nicht glücklich | 她不高兴
嬉しくなかった | isnt she proud | ni feliz ni contenta
"""
KEPT = """
not sure, maybe sad: sadness | not just annoyed: annoyance | not merely upset: sadness
I can't remember being sad: sadness | don't forget how angry: anger | never been so happy: joy
she couldn't be happier: joy | couldn't help feeling sad: sadness | can't stop crying: sadness
nobody knew that she was sad: sadness | no wonder he is angry: anger | he only was angry: anger
nobody was happier than Ana: joy | no, she was angry: anger | no she was angry: anger
not tired but happy: joy | nothing but joy: joy | er war nicht nur traurig: sadness
noch nie so glücklich: joy | 他有没有生气: anger | 开不开心: joy | 他是不是很生气: anger
嬉しくなった: joy | 不安になった: nervousness
"""


def rows(table: str) -> list[str]:
    return [row.strip() for line in table.strip().splitlines() for row in line.split(" | ")]


@pytest.mark.parametrize("text", rows(DENIED_UNPLEASANT))
def test_a_denied_unpleasant_feeling_is_none(text: str) -> None:
    read = read_feeling(text)
    assert read.target is None
    assert all(cue.negated for cue in read.cues)
    assert read.cues or "free of" in text


@pytest.mark.parametrize("text", rows(DENIED_PLEASANT))
def test_a_denied_pleasant_feeling_is_its_lack(text: str) -> None:
    assert set(target(text).labels) == {"sadness", "disappointment"}


@pytest.mark.parametrize("row", rows(KEPT))
def test_a_negation_of_something_else_leaves_the_feeling(row: str) -> None:
    text, label = row.split(": ")
    asked = target(text)
    assert label in asked.labels
    assert set(asked.labels) != {"sadness", "disappointment"}


@pytest.mark.parametrize(
    "text",
    rows(
        """
happy path tests | sad path coverage | panic: runtime error | rust panic | why did the server panic
what does the panic handler log | where did thread 'main' panicked at come from
confused deputy problem | frustration-free packaging | stress free wrapping | guilty verdict date
was he found guilty | did she plead guilty | confusion matrix | optimistic locking in the store
rage clicks on the page | run it on edge devices | who resent the invoice | angry birds score
kernel panic | panic room | merry christmas card | far cry | nervous system | weeping willow
was the connection pool exhausted | what is the past tense of go | frohe Weihnachten
开心果 | songs of The Lonely Island | who voiced Happy Gilmore
what did Joy cook | when is Joy's birthday | is the skin irritation gone | fast and furious
"""
    ),
)
def test_a_fixed_term_is_no_feeling(text: str) -> None:
    assert affect_target(text) is None


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("was Ben panicking about the build", "fear"),
        ("panic attack last week", "fear"),
        ("when did she feel guilty", "remorse"),
        ("times I felt Joy", "joy"),
        ("was the customer confused by the error", "confusion"),
        ("why is he so on edge", "nervousness"),
        ("happy on the path", "joy"),
    ],
)
def test_the_same_word_outside_its_term_is_a_feeling(text: str, label: str) -> None:
    assert label in target(text).labels


@pytest.mark.parametrize(
    "text",
    rows(
        """
the mood went from tense to cheerful | at first I was scared, then confident | from anger to calm
initially hopeful but ended up bitter | went from calm to furious | from hope to despair
her anger turned to calm | scared at first but confident later | at first tense, eventually calm
used to be sad but now happy | tense then relieved | from scared to fine | from angry to serenity
she was scared and later relieved | once she was confident, now she is anxious
when did I go from exhausted to excited | started out happy, ended up sad
the tone shifted from friendly to hostile | hopeful until the layoffs made us bitter
zuerst ruhig, dann wütend | von Angst zu Freude | d'abord calme puis furieux | 先紧张后来平静
最初は不安だったが、最後は安心した | 不安から安心へ
"""
    ),
)
def test_a_turn_is_told_though_one_side_is_a_word_of_many_uses(text: str) -> None:
    read = read_feeling(text)
    assert read.shape == "turn"
    assert len(read.cues) == 2


def test_what_is_not_so_any_more_was_so_before() -> None:
    assert read_feeling("she isn't sad anymore").shape == "relief"
    lost = read_feeling("she isn't happy any more")
    assert lost.shape == "any"
    assert lost.target is not None
    assert "sadness" in lost.target.labels


def test_a_turn_begins_with_the_first_feeling() -> None:
    asked = target("from anger to calm")
    anger, relief = state_of([("anger", 1.0)]), state_of([("relief", 1.0)])
    assert best(asked, crossfade(anger, relief)) > best(asked, crossfade(relief, anger))


@pytest.mark.parametrize(
    "text",
    rows(
        """
angry from Monday to Friday | happy to be free | a bit tired but excited | happy to help with care
怖いから不安 | I was happy before the good food | moved from a sad flat to a safe place
"""
    ),
)
def test_words_of_many_uses_make_no_turn_elsewhere(text: str) -> None:
    assert read_feeling(text).shape != "turn"


@pytest.mark.parametrize(
    "text",
    rows(
        """
だんだん不安になった | 她渐渐焦虑 | angrier and angrier | gradually more upset | zunehmend wütend
immer trauriger
"""
    ),
)
def test_growing_is_told_in_more_ways(text: str) -> None:
    assert read_feeling(text).shape == "rising"


@pytest.mark.parametrize(
    "row",
    rows(
        """
when was she freaking out: nervousness | who freaked me out: nervousness | so bummed: disappointment
when did I cry: sadness | who made her cry: sadness | angrier than ever: anger
the loneliest week: sadness | bored at work: disappointment | was I exhausted: nervousness
die Kunden wurden wütender: anger | traurige Tage: sadness | furiosos: anger
déçues: disappointment | frustated: annoyance | dissapointed: disappointment
embarassed: embarrassment | furstrated: annoyance | I was suprised: surprise
they were surprized: surprise | I was exausted: nervousness | anxiuos: nervousness
overwelmed: nervousness | it was dissapointing: disappointment
"""
    ),
)
def test_informal_inflected_and_misspelt_words_are_feelings(row: str) -> None:
    text, label = row.split(": ")
    assert label in target(text).labels


@pytest.mark.parametrize(
    "text",
    rows(
        """
irrigated the field | a dreaming spire | the homeless shelter | who exited | started | relived it
a good thriller | aggravate | table of contents | engaging talk | the delimited file | discussed it
"""
    ),
)
def test_an_ordinary_word_is_no_misspelt_feeling(text: str) -> None:
    assert affect_target(text) is None
