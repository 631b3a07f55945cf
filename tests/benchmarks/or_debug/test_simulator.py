from ordojo.benchmarks.or_debug.actions import ActionKind
from ordojo.benchmarks.or_debug.environment import OrDebugEnvironment
from ordojo.benchmarks.or_debug.perform import Simulated, simulate
from ordojo.benchmarks.or_debug.schema import OrDebugOptions
from ordojo.core.seeds import episode_seed
from ordojo.solvers.answers import Status
from tests.benchmarks.or_debug.puzzles import too_many_orders

IIS = ("c1", "c2", "c3")


def run(kind: ActionKind, target: str, turn: int = 0, iis: tuple[str, ...] = IIS) -> Simulated:
    return simulate(kind, target, Status.INFEASIBLE, iis, ("c1",), 3, "item", turn)


def test_each_sample_of_an_instance_has_a_coin_of_its_own() -> None:
    environment = OrDebugEnvironment(OrDebugOptions(simulate=True, max_steps=1))
    instance = too_many_orders()
    text = f"DROP({instance.problem.targets[0]})"

    def drawn(seed: int, sample: int) -> object:
        environment.reset(instance, episode_seed(seed, sample))
        return environment.step(text).info["status"]

    found = [drawn(0, sample) for sample in range(1, 41)]
    assert set(found) == {"OPTIMAL", "INFEASIBLE"}
    assert found == [drawn(0, sample) for sample in range(1, 41)]
    assert found != [drawn(1, sample) for sample in range(1, 41)]
    assert episode_seed(5, 1) == 5, "the first sample is that of the run's seed"


def share(kind: ActionKind) -> float:
    found = [run(kind, "c1", turn).status == Status.OPTIMAL for turn in range(4000)]
    return sum(found) / len(found)


def test_a_repair_of_the_sabotaged_element_succeeds_at_the_papers_rates() -> None:
    # Four standard errors of 4,000 draws are 0.03 at most.
    assert abs(share(ActionKind.RELAX) - 0.9) < 0.03
    assert abs(share(ActionKind.DROP) - 0.7) < 0.03
    assert abs(share(ActionKind.REWRITE) - 0.9) < 0.03


def test_a_repair_of_another_member_shrinks_the_iis_half_the_time() -> None:
    sizes = [len(run(ActionKind.RELAX, "c2", turn).iis) for turn in range(4000)]
    assert set(sizes) == {2, 3}
    assert abs(sizes.count(2) / 4000 - 0.5) < 0.04
    assert all(run(ActionKind.DROP, "c2", turn, ("c2",)).iis == ("c2",) for turn in range(20))


def test_looking_and_missing_change_nothing() -> None:
    for kind, target in (
        (ActionKind.GET_IIS, ""),
        (ActionKind.CHECK_SLACK, "c1"),
        (ActionKind.DROP, "c9"),
    ):
        assert run(kind, target) == (Status.INFEASIBLE, IIS)
    kept = simulate(ActionKind.CHECK_BOUND, "", Status.OPTIMAL, (), ("c1",), 3, "item", 0)
    assert kept == (Status.OPTIMAL, ())


def test_draws_depend_on_seed_instance_and_turn_alone() -> None:
    assert run(ActionKind.RELAX, "c1", 7) == run(ActionKind.RELAX, "c1", 7)
    by_turn = [run(ActionKind.DROP, "c1", turn).status for turn in range(50)]
    by_seed = [
        simulate(ActionKind.DROP, "c1", Status.INFEASIBLE, IIS, ("c1",), seed, "item", 0).status
        for seed in range(50)
    ]
    by_item = [
        simulate(ActionKind.DROP, "c1", Status.INFEASIBLE, IIS, ("c1",), 3, f"item {i}", 0).status
        for i in range(50)
    ]
    assert len(set(by_turn)) == len(set(by_seed)) == len(set(by_item)) == 2
