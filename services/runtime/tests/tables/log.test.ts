import { Client } from 'pg'
import { expect, test } from 'vitest'
import { createLogger } from '../../log.ts'

test('a lost database connection is logged with its reason, without the connection and its prepared statements', () => {
  const lines: string[] = []
  const log = createLogger('test', 'warn', { write: (line) => void lines.push(line) })
  const message = 'terminating connection due to administrator command'
  // As `pg` emits it: with the whole client.
  const client = Object.assign(new Client(), { preparedStatements: { one: 'SELECT $1::text' } })
  log.warn({ err: Object.assign(new Error(message), { code: '57P01', client }) }, 'connection lost')
  const { err } = JSON.parse(lines[0] ?? '')
  expect(err).toEqual({ type: 'Error', message, code: '57P01', stack: expect.stringContaining('at ') })
})
