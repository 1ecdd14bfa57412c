"""The ablation of the ordering trap does what its name says."""

from bench.ordering_trap import fused, inserted

LINE = {
    "types": {"temporal": 0.0, "factual": 1.0, "multi_hop": 0.0, "emotional": 0.0, "general": 0.0},
    "runs": {
        "semantic": ["direct", "other"],
        "keyword": ["direct"],
        "graph": ["neighbour", "direct"],
    },
}


def test_neighbour_ranked_before_the_fusion_stays_behind_a_direct_hit() -> None:
    assert fused(LINE, graph=True)[0] == "direct"


def test_neighbour_inserted_by_cosine_outranks_every_fused_score() -> None:
    near = {"neighbour": 0.62, "direct": 0.1}
    assert inserted(LINE, near, rrf_k=60)[0] == "neighbour"


def test_without_the_graph_its_own_finds_are_missing() -> None:
    assert "neighbour" not in fused(LINE, graph=False)
