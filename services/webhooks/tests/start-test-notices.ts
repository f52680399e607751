/** Endpoints that fail, their owners, and what is sent to them, on a real database and with a clock that the test moves. Nothing runs by itself. */
import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServiceImpl } from '@connectrpc/connect'
import { AccountsService } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { openDatabase } from '@platen/runtime/database/database.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { openMailer } from '@platen/runtime/mail/open-mailer.ts'
import type { MailSettings } from '@platen/runtime/mail/settings.ts'
import { connectRpc } from '@platen/runtime/rpc/client.ts'
import { serveRpc } from '@platen/runtime/rpc/server.ts'
import { createDatabase } from '@platen/test/harness/database.ts'
import { freePort } from '@platen/test/harness/free-port.ts'
import { createTestClock } from '@platen/test/harness/test-clock.ts'
import { createTestProcess } from '@platen/test/harness/test-process.ts'
import type { QueryResultRow } from 'pg'
import { onTestFinished } from 'vitest'
import { DeliveryEntity, EndpointEntity, SecretEntity } from '../entities.ts'
import { MIGRATIONS } from '../migrations/migrations.ts'
import { sendNotices } from '../timers/send-notices.ts'
import { sweepFailing } from '../timers/sweep-failing.ts'

const SECRET = 'a secret of the test installation'
const ENDPOINT_URL = 'https://user.example.com:8443/hook/token-1?key=token-2'

export const FAILING_SINCE = new Date('2026-01-02T03:04:05.678Z')

/** @param to a mail server; a directory of the test's own when left out. */
export async function startTestNotices({
  owners = ['ann@example.com'],
  to,
}: {
  owners?: string[]
  to?: MailSettings['to']
} = {}) {
  const url = await createDatabase()
  const service = createTestProcess('webhooks')
  onTestFinished(() => service.stop())
  const directory = await mkdtemp(join(tmpdir(), 'platen-mails-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const { orm, pool } = await openDatabase(service, {
    url,
    schema: 'webhooks',
    entities: [EndpointEntity, SecretEntity, DeliveryEntity],
    migrations: MIGRATIONS,
  })
  const clock = createTestClock(FAILING_SINCE)
  const accounts = await startAccounts(owners)
  const webhooks = {
    orm,
    pool,
    clock,
    log: service.log,
    accounts: connectRpc(service, AccountsService, { url: accounts.url, secret: SECRET }),
    mailer: openMailer(
      { from: 'Platen <print@example.org>', to: to ?? { directory } },
      { clock, stopping: service.stopping },
    ),
    disableAfterMs: 5 * 24 * 3_600_000,
    timeoutMs: 15_000,
    retriedForMs: 28 * 3_600_000,
    eventRetentionMs: 30 * 24 * 3_600_000,
  }
  const query = async <Row extends QueryResultRow>(sql: string, values: unknown[] = []) =>
    (await pool.query<Row>(sql, values)).rows
  const send = () => sendNotices(webhooks, service.stopping)
  return {
    webhooks,
    accounts,
    clock,
    query,
    send,
    /** What the timers do at one moment. */
    async sweep() {
      await sweepFailing(webhooks)
      await send()
    },
    /** @returns its id. */
    async addEndpoint({ url = ENDPOINT_URL, failingSince = FAILING_SINCE as Date | null } = {}): Promise<string> {
      const [row] = await query<{ id: string }>(
        `INSERT INTO webhooks.endpoint (id, organization_id, mode, url, events, failing_since, created_at)
         VALUES (uuidv7(), $1, 'live', $2, '{printjob.done}', $3, $4) RETURNING id`,
        [accounts.organizationId, url, failingSince, FAILING_SINCE],
      )
      return row?.id ?? ''
    },
    async endpoint(id: string) {
      const [row] = await query('SELECT enabled, disabled_reason, failing_since FROM webhooks.endpoint WHERE id = $1', [
        id,
      ])
      return row
    },
    /** In the order in which they were sent. */
    async mails(): Promise<string[]> {
      const names = (await readdir(directory)).filter((name) => name.endsWith('.eml')).toSorted()
      return await Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')))
    },
  }
}

/** Stands for the accounts service. While it is `down` it answers nobody. */
async function startAccounts(emails: string[]) {
  const state = { organizationId: randomUUID(), emails, down: false }
  const service = createTestProcess('accounts')
  onTestFinished(() => service.stop())
  const port = await freePort()
  const accounts: Partial<ServiceImpl<typeof AccountsService>> = {
    listMembers({ organizationId, roles }) {
      if (state.down) throw new ApiError('service_unavailable', 'scripted')
      const asked = organizationId === state.organizationId && roles.join() === 'owner'
      return { members: asked ? state.emails.map((email, n) => ({ email, role: 'owner', userId: userId(n) })) : [] }
    },
  }
  await serveRpc(service, {
    listen: { host: '127.0.0.1', port },
    secret: SECRET,
    ready: () => Promise.resolve(),
    routes: (router) => router.service(AccountsService, accounts),
  })
  return Object.assign(state, { url: `http://127.0.0.1:${port}` })
}

const userId = (n: number) => `01890a5d-0000-7000-8000-00000000000${n}`
