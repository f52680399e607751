/** What `power --sql` takes away from statements, and that it takes away nothing else. */
import { expect, test } from 'vitest'
import { findConditions } from '../sql/find-conditions.ts'

/** A hole of a template. */
const HOLE = ['$', '{'].join('')

/** The text with each change, either of bounds or of all else. A hole begins with `#{`. */
function changed(text: string, bounds = false) {
  const sql = text.replaceAll('#{', HOLE)
  const changes = findConditions(sql).filter(({ isBound = false }) => isBound === bounds)
  return changes.map(({ edits }) =>
    edits
      .reduceRight((changed, edit) => changed.slice(0, edit.start) + edit.text + changed.slice(edit.end), sql)
      .replaceAll(HOLE, '#{'),
  )
}

test('each operand of AND is always true in turn, and of OR never', () => {
  expect(changed('SELECT a FROM t WHERE x = $1 AND (y IS NULL OR NOT (z = 2)) ORDER BY a')).toEqual([
    'SELECT a FROM t WHERE ((x = $1) OR TRUE) AND (y IS NULL OR NOT (z = 2)) ORDER BY a',
    'SELECT a FROM t WHERE x = $1 AND (((y IS NULL OR NOT (z = 2))) OR TRUE) ORDER BY a',
    'SELECT a FROM t WHERE x = $1 AND (((y IS NULL) AND FALSE) OR NOT (z = 2)) ORDER BY a',
    'SELECT a FROM t WHERE x = $1 AND (y IS NULL OR ((NOT (z = 2)) AND FALSE)) ORDER BY a',
  ])
})

test.each([
  ['a single WHERE', 'DELETE FROM t WHERE x = 1', ['DELETE FROM t WHERE ((x = 1) OR TRUE)']],
  ['the AND of BETWEEN is part of its operand', 'WHERE x BETWEEN 1 AND 2', ['WHERE ((x BETWEEN 1 AND 2) OR TRUE)']],
  ['a join by one column stays', 'FROM t JOIN u ON u.id = t.id ORDER BY 1', []],
  ['CASE in an operand', 'WHERE x = CASE WHEN a THEN 1 END', ['WHERE ((x = CASE WHEN a THEN 1 END) OR TRUE)']],
  [
    'an assignment',
    'SET f = t.f AND g WHERE #{where}',
    ['SET f = t.f AND ((g) OR TRUE) WHERE #{where}', 'SET f = t.f AND g WHERE ((#{where}) OR TRUE)'],
  ],
  [
    'EXISTS in a list',
    'SELECT EXISTS (SELECT FROM t) AS known',
    ['SELECT ((EXISTS (SELECT FROM t)) OR TRUE) AS known'],
  ],
  ['a hole after a value is no part of a condition', 'WHERE x = $1 #{page}', ['WHERE ((x = $1) OR TRUE) #{page}']],
  ['a hole with a table and its WHERE', 'SELECT a FROM #{rows} AND x', ['SELECT a FROM #{rows} AND ((x) OR TRUE)']],
  ['a hole in a value is', 'WHERE #{row}.x = $#{n}::int LIMIT 1', ['WHERE ((#{row}.x = $#{n}::int) OR TRUE) LIMIT 1']],
  [
    'a fragment that begins with AND',
    'AND x = 1 AND y',
    ['AND ((x = 1) OR TRUE) AND y', 'AND x = 1 AND ((y) OR TRUE)'],
  ],
  ['words in texts and comments', "SELECT 'a AND b' -- c AND d\nFROM t", []],
  ['row locks', 'SELECT a FOR NO KEY UPDATE OF t SKIP LOCKED', ['SELECT a ', 'SELECT a FOR NO KEY UPDATE OF t ']],
  [
    'conflicts',
    'INSERT INTO t VALUES (1) ON CONFLICT (a) DO UPDATE SET a = 2 RETURNING a',
    ['INSERT INTO t VALUES (1)  RETURNING a'],
  ],
  ['two arguments', 'least($1, b)', ['(ARRAY[$1, b])[2]', '(ARRAY[$1, b])[1]']],
  [
    'many arguments',
    'GREATEST($1, b, c)',
    ['GREATEST($1,(CASE WHEN FALSE THEN  b END), c)', 'GREATEST($1, b,(CASE WHEN FALSE THEN  c END))'],
  ],
])('%s', (_title, sql, changes) => expect(changed(sql)).toEqual(changes))

test('each bound includes its value, or no longer', () => {
  expect(changed('WHERE (a, b) < ($1, $2) AND c->>d >= e', true)).toEqual([
    'WHERE (a, b) <= ($1, $2) AND c->>d >= e',
    'WHERE (a, b) < ($1, $2) AND c->>d > e',
  ])
})
