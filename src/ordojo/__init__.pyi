"""The names of the front door, for type checkers; `__init__.py` says what they are."""

from ordojo.api.benchmarks import build as build
from ordojo.api.benchmarks import compare as compare
from ordojo.api.benchmarks import evaluate as evaluate
from ordojo.api.benchmarks import grade as grade
from ordojo.api.benchmarks import hardness as hardness
from ordojo.api.benchmarks import load as load
from ordojo.api.benchmarks import make as make
from ordojo.api.benchmarks import report as report
from ordojo.api.benchmarks import verify as verify
from ordojo.api.models import equivalent as equivalent
from ordojo.api.models import explain as explain
from ordojo.api.models import iis as iis
from ordojo.api.models import read_model as read_model
from ordojo.api.models import repair as repair
from ordojo.api.models import solve as solve
from ordojo.api.models import structure as structure
from ordojo.api.planning import plan as plan
from ordojo.api.programs import run_program as run_program
from ordojo.api.suggestion import suggest as suggest
from ordojo.core.benchmark import Benchmark as Benchmark
from ordojo.core.environment import Environment as Environment
from ordojo.core.environment import Message as Message
from ordojo.core.environment import Observation as Observation
from ordojo.core.environment import Step as Step
from ordojo.core.errors import BenchmarkError as BenchmarkError
from ordojo.core.errors import DataError as DataError
from ordojo.core.errors import GeneratorError as GeneratorError
from ordojo.core.errors import OrdojoError as OrdojoError
from ordojo.core.errors import ProviderError as ProviderError
from ordojo.core.errors import RunError as RunError
from ordojo.core.errors import SandboxError as SandboxError
from ordojo.core.errors import SolverError as SolverError
from ordojo.core.errors import UsageError as UsageError
from ordojo.core.instance import Certificate as Certificate
from ordojo.core.instance import Instance as Instance
from ordojo.core.judge import Judge as Judge
from ordojo.core.judge import Verdict as Verdict
from ordojo.core.policy import Policy as Policy
from ordojo.core.single_turn import SingleTurn as SingleTurn
from ordojo.milp.model import Model as Model

__version__: str
