//! The benchmarks are beside this file; `README.md` says what each measures.
