import { expect, test } from 'vitest'
import { hideValues } from '../../telemetry/hide-values.ts'

test.each([
  [`where key_sha256 = '\\xAB12' limit 1`, 'where key_sha256 = ? limit 1'],
  [`values ('it''s', 'two')`, 'values (?, ?)'],
  [`values ('ends with \\', 'two')`, 'values (?, ?)'],
  [`values (E'it\\'s', e'two\\\\', 'three')`, 'values (?, ?, ?)'],
  [`values ('two\nlines', '')`, 'values (?, ?)'],
  ['where "name" = $1 and state = 3', 'where "name" = $1 and state = 3'],
])('a traced statement contains no text value: %j', (sql, hidden) => expect(hideValues(sql)).toBe(hidden))
