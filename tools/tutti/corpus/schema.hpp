#pragma once

namespace program::corpus {

/// The number of the schema, in the table `run`. A change that makes readers fail raises it.
inline constexpr const char* schema_number = "1";

/// The tables of a database; docs/reference/corpus_database.md describes them.
inline constexpr const char* schema = R"(
CREATE TABLE run (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE module (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  bytes INTEGER NOT NULL,
  hash TEXT,
  outcome TEXT NOT NULL,
  pass TEXT,
  message TEXT,
  reproducer TEXT,
  operators_before INTEGER NOT NULL,
  operators_after INTEGER NOT NULL,
  operators TEXT,
  operators_result TEXT,
  output TEXT,
  results TEXT,
  seconds REAL NOT NULL,
  version TEXT NOT NULL
);
CREATE INDEX module_by_outcome ON module (outcome) WHERE outcome <> 'ok';
CREATE TABLE pass (
  module INTEGER NOT NULL REFERENCES module (id),
  step INTEGER NOT NULL,
  name TEXT NOT NULL,
  seconds REAL NOT NULL,
  changed INTEGER NOT NULL,
  operators_before INTEGER NOT NULL,
  operators_after INTEGER NOT NULL,
  operators TEXT,
  counts TEXT,
  remarks TEXT,
  PRIMARY KEY (module, step)
) WITHOUT ROWID;
CREATE VIEW failure AS
  SELECT * FROM module WHERE outcome <> 'ok' AND outcome <> 'unchecked';
CREATE VIEW profile AS
  SELECT name, count(*) AS runs, sum(changed) AS changes, sum(seconds) AS seconds FROM pass GROUP BY name;
)";

} // namespace program::corpus
