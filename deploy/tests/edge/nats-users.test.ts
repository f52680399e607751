/** The users of NATS, on a nats-server with the configuration of docs/operations/nats-permissions.md. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, PermissionViolationError } from '@nats-io/transport-node'
import { NATS_SERVICES, type NatsService } from '@platen/proto/nats-permissions.ts'
import { EVENTS_STREAM, TEST_COMPUTER_SUBJECT, toInboxPrefix, WEBHOOK_ATTEMPTS_STREAM } from '@platen/proto/subjects.ts'
import { createLogger } from '@platen/runtime/log.ts'
import { connectNats } from '@platen/runtime/messaging/nats.ts'
import { parseNatsUrl } from '@platen/runtime/messaging/settings.ts'
import { freePort } from '@platen/test/harness/free-port.ts'
import { newOrganization, printJob } from '@platen/test/harness/organization.ts'
import { askNatsVersion } from '@platen/test/harness/server-versions.ts'
import { createTestProcess } from '@platen/test/harness/test-process.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { startWebhookReceiver } from '@platen/test/harness/webhook-receiver.ts'
import { startOwnWorld } from '@platen/test/harness/world.ts'
import { expect, onTestFinished, test } from 'vitest'
import { findNatsServer } from '../../install/find-nats-server.mjs'
import { root } from '../../install/paths.mjs'
import { startServer } from '../../launcher/start-server.ts'
import { NATS_OPERATOR, NATS_USER } from '../../nats-users.ts'

const PASSWORD = 'secret'

/** A nats-server with the documented users, which ends with the test. */
async function startDocumented() {
  const directory = await mkdtemp(join(tmpdir(), 'platen-nats-'))
  const port = await freePort()
  const page = await readFile(join(root, 'docs/operations/nats-permissions.md'), 'utf8')
  const [, authorization] = page.match(/\n```\n(authorization \{\n.*?\n\}\n)```\n/s) ?? expect.fail('no configuration')
  const file = join(directory, 'nats.conf')
  await writeFile(file, `host: 127.0.0.1, port: ${port}, jetstream { store_dir: "${directory}" }\n${authorization}`)
  const variables = [...String(authorization).matchAll(/\$(\w+_PASSWORD)/g)].map(([, name = '']) => name)
  const running = await startServer({
    name: 'nats-server',
    command: findNatsServer() ?? 'nats-server',
    args: ['-c', file],
    env: Object.fromEntries(variables.map((name) => [name, PASSWORD])),
    endSignal: 'SIGTERM',
    logFile: join(directory, 'log'),
  })
  onTestFinished(async () => {
    await running.stop()
    await rm(directory, { recursive: true })
  })
  const toUrl = (user: string) => `nats://${user}:${PASSWORD}@127.0.0.1:${port}`
  const unused = async () => expect.fail('a test of users kills no server')
  const server = { url: toUrl(NATS_OPERATOR), servicesUrl: toUrl(NATS_USER), kill: unused, start: unused, wipe: unused }
  await waitFor(() => askNatsVersion(server.url))
  return server
}

/** A program with the credential of a service. */
async function connectAs(service: NatsService, servicesUrl: string) {
  const { servers, user = '', pass } = parseNatsUrl(servicesUrl).connection
  const connection = await connect({ servers, user: user.replace('*', service), pass, noAsyncTraces: true })
  onTestFinished(() => connection.close())
  const refused: PermissionViolationError[] = []
  void (async () => {
    for await (const status of connection.status())
      if (status.type === 'error' && status.error instanceof PermissionViolationError) refused.push(status.error)
  })()
  return {
    connection,
    /** @returns the subjects that it cannot publish to, and those that it cannot receive. */
    async readRefused(publish: string[], subscribe: string[] = []) {
      for (const subject of publish) connection.publish(subject)
      for (const subject of subscribe) connection.subscribe(subject, { callback: () => undefined })
      // The server answers the first one after it has refused. The status is read before the second answer.
      for (let n = 0; n < 2; n++) await connection.flush()
      const ofOperation = (name: string) =>
        refused.filter(({ operation }) => operation === name).map(({ subject }) => subject)
      return { publish: ofOperation('publish'), subscribe: ofOperation('subscription') }
    },
  }
}

test('a document is stored, its job printed and its webhook delivered by services with users of their own', async () => {
  const nats = await startDocumented()
  const files = { fileStoreUrl: 'nats:///documents' }
  const world = await startOwnWorld({
    nats,
    jobs: files,
    devices: files,
    gateway: { ...files, inlineDocumentBytes: 0 },
  })
  const receiver = await startWebhookReceiver()
  onTestFinished(() => receiver.stop())
  const { testApi } = await newOrganization(world)
  await testApi.post('/v1/webhooks', { url: receiver.url, events: ['printjob.done'] })
  const { body: printers } = await testApi.get('/v1/printers')
  const { body: job } = await testApi.post('/v1/printjobs', printJob(printers.data[0].id))
  await waitFor(async () => expect((await testApi.get(`/v1/printjobs/${job.id}`)).body.state).toBe('done'))
  await waitFor(() => expect(receiver.received).toHaveLength(1))
  expect((await world.nats.manager.streams.info('OBJ_documents')).state.messages).toBeGreaterThan(0)
  expect(world.logs.filter((line) => line.includes('NATS does not permit'))).toEqual([])
})

test('a service can neither command agents, read or delete streams nor receive the responses to others, unless that is its work', async () => {
  const { servicesUrl } = await startDocumented()
  const commands = 'platen.devices.commands.a-computer'
  const read = [EVENTS_STREAM, WEBHOOK_ATTEMPTS_STREAM].flatMap(({ name }) => [
    `$JS.API.STREAM.MSG.GET.${name}`,
    `$JS.API.DIRECT.GET.${name}`,
    `$JS.API.CONSUMER.CREATE.${name}`,
    `$JS.API.CONSUMER.CREATE.${name}.another`,
    `$JS.API.CONSUMER.DURABLE.CREATE.${name}.another`,
  ])
  const destroy = [EVENTS_STREAM.name, WEBHOOK_ATTEMPTS_STREAM.name, 'OBJ_documents'].flatMap((name) => [
    `$JS.API.STREAM.DELETE.${name}`,
    `$JS.API.STREAM.MSG.DELETE.${name}`,
    ...(name === 'OBJ_documents' ? [] : [`$JS.API.STREAM.PURGE.${name}`]),
  ])
  const inboxes = NATS_SERVICES.map((name) => `${toInboxPrefix(name)}.>`)
  for (const service of NATS_SERVICES) {
    const { readRefused } = await connectAs(service, servicesUrl)
    const own = `${toInboxPrefix(service)}.>`
    const isDevices = service === 'devices'
    const subscribed = ['>', 'platen.>', '_INBOX.>', 'platen.devices.>', 'platen.events.*', ...inboxes]
    expect(await readRefused([commands, ...read, ...destroy], subscribed), service).toEqual({
      publish: [...(isDevices ? [] : [commands]), ...read, ...destroy],
      subscribe: subscribed.filter((subject) => subject !== own && !(isDevices && subject === 'platen.devices.>')),
    })
  }
})

test('test-computers can only answer what it was asked, once', async () => {
  const { servicesUrl } = await startDocumented()
  const [testComputers, devices] = [
    await connectAs('test-computers', servicesUrl),
    await connectNats(newProcess('devices'), parseNatsUrl(servicesUrl)),
  ]
  testComputers.connection.subscribe(TEST_COMPUTER_SUBJECT, {
    callback: (_error, message) => ['first', 'second'].forEach((answer) => void message.respond(answer)),
  })
  await testComputers.connection.flush()
  const answer = await devices.connection.request(TEST_COMPUTER_SUBJECT, 'an organization', { timeout: 2_000 })
  expect(answer.string()).toBe('first')
  const publish = ['platen.feeds', '$JS.API.INFO', '$JS.API.STREAM.NAMES', '$O.documents.C.x', '_INBOX.devices.x']
  expect(await testComputers.readRefused(publish)).toEqual({
    publish: [expect.stringMatching('^_INBOX.devices.'), ...publish],
    subscribe: [],
  })
})

test('a service that NATS refuses says which permission it lacks, once a minute', async () => {
  const { servicesUrl } = await startDocumented()
  const lines: string[] = []
  const log = createLogger('jobs', 'info', { write: (line: string) => void lines.push(line) })
  const { connection } = await connectNats(newProcess('jobs', log), parseNatsUrl(servicesUrl))
  connection.subscribe('platen.feeds', { callback: () => undefined })
  for (let n = 0; n < 3; n++) connection.publish('platen.devices.takeover')
  await connection.flush()
  await waitFor(() => expect(lines).toHaveLength(2))
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(
    ['subscribe to platen.feeds', 'publish to platen.devices.takeover'].map(
      (action) => `NATS does not permit the user of this service to ${action}: see docs/operations/nats-permissions.md`,
    ),
  )
})

function newProcess(...[name, log]: [name: string, log?: ReturnType<typeof createLogger>]) {
  const process = createTestProcess(name, { ...(log && { log }) })
  onTestFinished(() => process.stop())
  return process
}
