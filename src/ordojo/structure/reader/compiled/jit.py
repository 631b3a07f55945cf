"""Compiling with numba, and the few instructions of the processor that Python has no word for."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np
from numba import njit, types
from numba.core.cgutils import ir
from numba.extending import intrinsic

F = TypeVar("F", bound=Callable[..., Any])
Code = Callable[..., Any]


def compiled(function: F) -> F:
    """The function as machine code, made at its first call and kept on disk for later runs."""
    return cast(F, njit(cache=True, nogil=True, error_model="numpy")(function))


def _low_zeros(typing: Any, word: Any) -> tuple[Any, Code]:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], context.get_constant(types.boolean, False))

    return types.uint64(types.uint64), code


def _high_zeros(typing: Any, word: Any) -> tuple[Any, Code]:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctlz(args[0], context.get_constant(types.boolean, False))

    return types.uint64(types.uint64), code


def _high_product(typing: Any, a: Any, b: Any) -> tuple[Any, Code]:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        narrow, wide = ir.IntType(64), ir.IntType(128)
        product = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
        return builder.trunc(builder.lshr(product, wide(64)), narrow)

    return types.uint64(types.uint64, types.uint64), code


def _as_float(typing: Any, bits: Any) -> tuple[Any, Code]:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.bitcast(args[0], ir.DoubleType())

    return types.float64(types.uint64), code


def _mask(relation: str, letter: int) -> Callable[..., tuple[Any, Code]]:
    """Which of 64 bytes stand in a relation to a letter, a bit each."""

    def found(typing: Any, data: Any, at: Any) -> tuple[Any, Code]:
        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            many = ir.VectorType(ir.IntType(8), 64)
            text = context.make_array(signature.args[0])(context, builder, args[0]).data
            place = builder.bitcast(builder.gep(text, [args[1]]), many.as_pointer())
            bits = builder.icmp_unsigned(
                relation, builder.load(place, align=1), ir.Constant(many, [letter] * 64)
            )
            return builder.bitcast(bits, ir.IntType(64))

        return types.uint64(data, types.int64), code

    return found


signed = cast(Callable[[Any], int], np.int64)
"""A number that may be negative; numba makes fractions of sums of such and unsigned ones."""

low_zeros: Code = intrinsic(_low_zeros)
"""How many of the lowest bits of a 64-bit word are 0."""

high_zeros: Code = intrinsic(_high_zeros)
"""How many of the highest bits of a 64-bit word are 0."""

high_product: Code = intrinsic(_high_product)
"""The higher 64 bits of the product of two 64-bit words."""

as_float: Code = intrinsic(_as_float)
"""The number that has these bits."""

shown: Code = intrinsic(_mask(">", 32))
"""Which of the 64 bytes of a text from a place on are no blanks, the first one's bit lowest."""

line_ends: Code = intrinsic(_mask("==", 10))
"""Which of the 64 bytes of a text from a place on end a line."""

low_bytes: Code = intrinsic(_mask("<", 32))
"""Which of the 64 bytes of a text from a place on are less than a blank."""
