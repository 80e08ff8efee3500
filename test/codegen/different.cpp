// Functions that run.py must report as different, to test run.py.
extern "C" {
int opaque(int);
int calls_by_hand(int n) { return opaque(n); }
int calls_by_tutti(int n) { return opaque(opaque(n)); }
}
