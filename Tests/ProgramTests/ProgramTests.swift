import Testing

/// The built programs as people and systemd run them. One test at a time: each has the machine to itself, so that a
/// deadline that passes says something.
@Suite(.serialized, .timeLimit(.minutes(30))) struct ProgramTests {}
