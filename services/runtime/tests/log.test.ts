import { createEmptyDatabase } from '@platen/test/harness/database.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { Pool } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { createLogger } from '../log.ts'

test('a lost database connection is logged with its reason, without the statements that it had prepared', async () => {
  const lines: string[] = []
  const log = createLogger('test', 'warn', { write: (line) => void lines.push(line) })
  const pool = new Pool({ connectionString: await createEmptyDatabase(), max: 2 })
  onTestFinished(() => pool.end())
  pool.on('error', (err) => log.warn({ err }, 'lost'))
  const client = await pool.connect()
  await pool.query({ name: 'one', text: 'SELECT $1::text AS prepared', values: ['x'] })
  await client.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND state = $1',
    ['idle'],
  )
  client.release()
  await waitFor(() => expect(lines).toHaveLength(1))
  const { err } = JSON.parse(lines[0] ?? '')
  expect(err).toMatchObject({ code: '57P01', message: 'terminating connection due to administrator command' })
  expect(err.stack).toContain('at ')
  expect(lines[0]).not.toContain('prepared')
})
