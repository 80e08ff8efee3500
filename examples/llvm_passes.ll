; What llvm_passes reads: variables in memory, sums computed twice, a load of what was just stored, and a function with nothing to do.

%pair = type { i32, i32 }

declare i32 @outside(i32)

define i32 @sum_of_squares(i32 %a, i32 %b) {
entry:
  %p = alloca %pair
  %first = getelementptr %pair, ptr %p, i32 0, i32 0
  %second = getelementptr %pair, ptr %p, i32 0, i32 1
  store i32 %a, ptr %first
  store i32 %b, ptr %second
  %x = load i32, ptr %first
  %y = load i32, ptr %second
  %xx = mul i32 %x, %x
  %yy = mul i32 %y, %y
  %sum = add i32 %xx, %yy
  %again = add i32 %xx, %yy
  %zero = sub i32 %sum, %again
  %result = add i32 %sum, %zero
  ret i32 %result
}

define i32 @clamped(i32 %n, ptr %seen) {
entry:
  %r = alloca i32
  %twice = mul i32 %n, 2
  store i32 %twice, ptr %seen
  %small = icmp slt i32 %n, 10
  br i1 %small, label %low, label %high

low:
  %a = load i32, ptr %seen
  %b = add i32 %a, 0
  store i32 %b, ptr %r
  br label %end

high:
  %c = mul i32 %n, 2
  %d = call i32 @outside(i32 %c)
  %e = sub i32 %c, %twice
  %f = add i32 %d, %e
  store i32 %f, ptr %r
  br label %end

end:
  %g = load i32, ptr %r
  ret i32 %g
}

define i32 @counted(ptr %data, i32 %n) {
entry:
  %i = alloca i32
  %total = alloca i32
  store i32 0, ptr %i
  store i32 0, ptr %total
  br label %head

head:
  %at = load i32, ptr %i
  %more = icmp slt i32 %at, %n
  br i1 %more, label %body, label %done

body:
  %here = getelementptr i32, ptr %data, i32 %at
  %one = load i32, ptr %here
  %same = load i32, ptr %here
  %both = add i32 %one, %same
  %before = load i32, ptr %total
  %after = add i32 %before, %both
  store i32 %after, ptr %total
  %next = add i32 %at, 1
  store i32 %next, ptr %i
  br label %head

done:
  %result = load i32, ptr %total
  ret i32 %result
}

define i32 @same(i32 %n) {
  ret i32 %n
}
