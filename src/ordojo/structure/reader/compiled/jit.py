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
    """The function as machine code, made at its first call and kept on disk for later runs.

    Numba does not see that a function it calls has changed: remove `__pycache__` then.
    """
    return cast(F, njit(cache=True, nogil=True, error_model="numpy")(function))


def inlined(function: F) -> F:
    """The function as machine code within each that calls it."""
    jit = njit(cache=True, nogil=True, error_model="numpy", forceinline=True)
    return cast(F, jit(function))


def _low_zeros(typing: Any, word: Any) -> tuple[Any, Code]:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], context.get_constant(types.boolean, False))

    return types.uint64(types.uint64), code


def _high_zeros(typing: Any, word: Any) -> tuple[Any, Code]:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctlz(args[0], context.get_constant(types.boolean, False))

    return types.uint64(types.uint64), code


def _ones(typing: Any, word: Any) -> tuple[Any, Code]:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

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


def _mask(relation: str, letter: int, less: int = 0) -> Callable[..., tuple[Any, Code]]:
    """Which of 64 bytes, `less` taken off each, stand in a relation to a letter, a bit each."""

    def found(typing: Any, data: Any, at: Any) -> tuple[Any, Code]:
        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            many = ir.VectorType(ir.IntType(8), 64)
            text = context.make_array(signature.args[0])(context, builder, args[0]).data
            place = builder.bitcast(builder.gep(text, [args[1]]), many.as_pointer())
            moved = builder.sub(builder.load(place, align=1), ir.Constant(many, [less] * 64))
            bits = builder.icmp_unsigned(relation, moved, ir.Constant(many, [letter] * 64))
            return builder.bitcast(bits, ir.IntType(64))

        return types.uint64(data, types.int64), code

    return found


def _pointer(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    data = context.make_array(signature.args[0])(context, builder, args[0]).data
    return builder.bitcast(builder.gep(data, [args[1]]), ir.IntType(64).as_pointer())


def _eight(typing: Any, data: Any, at: Any) -> tuple[Any, Code]:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load(_pointer(context, builder, signature, args), align=1)

    return types.uint64(data, types.int64), code


def _put_eight(typing: Any, data: Any, at: Any, word: Any) -> tuple[Any, Code]:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store(args[2], _pointer(context, builder, signature, args), align=1)
        return context.get_dummy_value()

    return types.void(data, types.int64, types.uint64), code


def _agreeing(typing: Any, slots: Any, place: Any, bits: Any, wanted: Any) -> tuple[Any, Code]:
    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        many = ir.VectorType(ir.IntType(64), 8)
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        here = builder.load(
            builder.bitcast(builder.gep(data, [args[1]]), many.as_pointer()), align=8
        )
        first = ir.Constant(ir.VectorType(ir.IntType(32), 8), [0] * 8)
        none = ir.Constant(many, ir.Undefined)
        bits, wanted = (
            builder.shuffle_vector(
                builder.insert_element(none, word, ir.IntType(32)(0)), none, first
            )
            for word in args[2:]
        )
        differing = builder.and_(builder.xor(here, wanted), bits)
        equal = builder.icmp_unsigned("==", differing, ir.Constant(many, [0] * 8))
        return builder.zext(builder.bitcast(equal, ir.IntType(8)), ir.IntType(64))

    return types.uint64(slots, types.int64, types.uint64, types.uint64), code


signed = cast(Callable[[Any], int], np.int64)
"""A number that may be negative; numba makes fractions of sums of such and unsigned ones."""

low_zeros: Code = intrinsic(_low_zeros)
"""How many of the lowest bits of a 64-bit word are 0."""

high_zeros: Code = intrinsic(_high_zeros)
"""How many of the highest bits of a 64-bit word are 0."""

ones: Code = intrinsic(_ones)
"""How many bits of a 64-bit word are 1."""

high_product: Code = intrinsic(_high_product)
"""The higher 64 bits of the product of two 64-bit words."""

as_float: Code = intrinsic(_as_float)
"""The number that has these bits."""

eight: Code = intrinsic(_eight)
"""The eight bytes of a text from a place on, the first one lowest."""

put_eight: Code = intrinsic(_put_eight)
"""Set the eight bytes of a text from a place on."""

shown: Code = intrinsic(_mask(">", 32))
"""Which of the 64 bytes of a text from a place on are no blanks, the first one's bit lowest."""

line_ends: Code = intrinsic(_mask("==", 10))
"""Which of the 64 bytes of a text from a place on end a line."""

spacing: Code = intrinsic(_mask("<", 5, 9))
"""Which of the 64 bytes of a text from a place on are tabs or end a line in some way."""

low_bytes: Code = intrinsic(_mask("<", 32))
"""Which of the 64 bytes of a text from a place on are less than a blank."""

agreeing: Code = intrinsic(_agreeing)
"""Which of the eight words from a place on have, under the second word, the bits of the third."""
