#pragma once

#include <tutti/base/form.hpp>

#include <string_view>

namespace tutti::relay::inline TUTTI_FORM {

/// Definitions for programs with lists, options and trees, as Relay text: the reference's prelude without tensor
/// arrays.
///
/// Example: `relay::parse(std::string(relay::prelude) + "def @main() { @length(Cons(1, Nil)) }")`
inline constexpr std::string_view prelude = R"(
// Functions of functions.
def @id[A](%x: A) -> A { %x }
def @compose[A, B, C](%f: fn (B) -> C, %g: fn (A) -> B) -> fn (A) -> C { fn (%x: A) -> C { %f(%g(%x)) } }
def @flip[A, B, C](%f: fn (A, B) -> C) -> fn (B, A) -> C { fn (%b: B, %a: A) -> C { %f(%a, %b) } }
// The function that calls %f %n times.
def @iterate[A](%f: fn (A) -> A, %n: int32) -> fn (A) -> A {
  if (%n == 0) { @id } else { @compose(%f, @iterate(%f, %n - 1)) }
}

// Lists.
type List[A] { Cons(A, List[A]), Nil }
def @hd[A](%xs: List[A]) -> A { match? (%xs) { Cons(%x, _) => %x } }
def @tl[A](%xs: List[A]) -> List[A] { match? (%xs) { Cons(_, %rest) => %rest } }
def @nth[A](%xs: List[A], %n: int32) -> A {
  if (%n == 0) { @hd(%xs) } else { @nth(@tl(%xs), %n - 1) }
}
def @length[A](%xs: List[A]) -> int32 {
  match (%xs) {
    Nil => 0,
    Cons(_, %rest) => 1 + @length(%rest),
  }
}
// %xs with %v in place of its element %n.
def @update[A](%xs: List[A], %n: int32, %v: A) -> List[A] {
  if (%n == 0) { Cons(%v, @tl(%xs)) } else { Cons(@hd(%xs), @update(@tl(%xs), %n - 1, %v)) }
}
def @map[A, B](%f: fn (A) -> B, %xs: List[A]) -> List[B] {
  match (%xs) {
    Nil => Nil,
    Cons(%x, %rest) => Cons(%f(%x), @map(%f, %rest)),
  }
}
// %f(...%f(%f(%acc, x0), x1)..., xn), and from the other end.
def @foldl[A, B](%f: fn (A, B) -> A, %acc: A, %xs: List[B]) -> A {
  match (%xs) {
    Nil => %acc,
    Cons(%x, %rest) => @foldl(%f, %f(%acc, %x), %rest),
  }
}
def @foldr[A, B](%f: fn (A, B) -> B, %acc: B, %xs: List[A]) -> B {
  match (%xs) {
    Nil => %acc,
    Cons(%x, %rest) => %f(%x, @foldr(%f, %acc, %rest)),
  }
}
def @foldr1[A](%f: fn (A, A) -> A, %xs: List[A]) -> A {
  match? (%xs) {
    Cons(%x, Nil) => %x,
    Cons(%x, %rest) => %f(%x, @foldr1(%f, %rest)),
  }
}
def @sum(%xs: List[int32]) -> int32 { @foldl(fn (%a: int32, %b: int32) -> int32 { %a + %b }, 0, %xs) }
def @concat[A](%xs: List[A], %ys: List[A]) -> List[A] { @foldr(Cons, %ys, %xs) }
def @filter[A](%f: fn (A) -> bool, %xs: List[A]) -> List[A] {
  match (%xs) {
    Nil => Nil,
    Cons(%x, %rest) => { if (%f(%x)) { Cons(%x, @filter(%f, %rest)) } else { @filter(%f, %rest) } },
  }
}
// As long as the shorter one.
def @zip[A, B](%xs: List[A], %ys: List[B]) -> List[(A, B)] {
  match (%xs, %ys) {
    (Cons(%x, %more), Cons(%y, %rest)) => Cons((%x, %y), @zip(%more, %rest)),
    _ => Nil,
  }
}
def @rev[A](%xs: List[A]) -> List[A] { @foldl(@flip(Cons), Nil, %xs) }
// A fold that keeps a list of what it finds, from the right and from the left.
def @map_accumr[A, B, C](%f: fn (A, B) -> (A, C), %init: A, %xs: List[B]) -> (A, List[C]) {
  let %step = fn (%x: B, %acc: (A, List[C])) -> (A, List[C]) {
    let %out = %f(%acc.0, %x);
    (%out.0, Cons(%out.1, %acc.1))
  };
  @foldr(%step, (%init, Nil), %xs)
}
def @map_accuml[A, B, C](%f: fn (A, B) -> (A, C), %init: A, %xs: List[B]) -> (A, List[C]) {
  let %step = fn (%acc: (A, List[C]), %x: B) -> (A, List[C]) {
    let %out = %f(%acc.0, %x);
    (%out.0, Cons(%out.1, %acc.1))
  };
  @foldl(%step, (%init, Nil), %xs)
}

// Values that may be missing.
type Option[A] { Some(A), None }
// The list of what %f finds, as long as it finds something.
def @unfoldr[A, B](%f: fn (A) -> Option[(A, B)], %seed: A) -> List[B] {
  match (%f(%seed)) {
    None => Nil,
    Some(%found) => Cons(%found.1, @unfoldr(%f, %found.0)),
  }
}
def @unfoldl[A, B](%f: fn (A) -> Option[(A, B)], %seed: A) -> List[B] { @rev(@unfoldr(%f, %seed)) }

// Trees.
type Tree[A] { Rose(A, List[Tree[A]]) }
def @tmap[A, B](%f: fn (A) -> B, %t: Tree[A]) -> Tree[B] {
  match (%t) {
    Rose(%v, %children) => Rose(%f(%v), @map(fn (%child: Tree[A]) -> Tree[B] { @tmap(%f, %child) }, %children)),
  }
}
def @size[A](%t: Tree[A]) -> int32 {
  match (%t) { Rose(_, %children) => 1 + @sum(@map(@size, %children)) }
}
)";

} // namespace tutti::relay::inline TUTTI_FORM
