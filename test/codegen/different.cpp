// What run.py must find different: it is tested with this file.
extern "C" {
int opaque(int);
int calls_by_hand(int n) { return opaque(n); }
int calls_by_tutti(int n) { return opaque(opaque(n)); }
}
