/** The commands of operators in the audit log. */
import { signInAs } from '@platen/test/harness/browser.ts'
import { newOrganization } from '@platen/test/harness/organization.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { getWorld } from '@platen/test/harness/world.ts'
import { expect, test } from 'vitest'
import { COMMANDS } from '../../commands/admin/commands.ts'
import { rotateWebhookKey } from '../../commands/rotate/webhook-key.ts'
import { connectWorld, type Printed, runAdmin as run } from './run-admin.ts'

async function newLog(id?: string) {
  const world = await getWorld()
  const organization = id === undefined ? await newOrganization() : { id, world }
  const reader = await signInAs(organization, 'admin')
  const read = async () => {
    const { data } = (await reader.get('/account/audit')).body
    return data.filter(({ actor }: { actor: Printed }) => actor.kind === 'operator')
  }
  return { org: organization.id, email: reader.email, userId: reader.userId, read }
}

const OPERATOR = { actor: { kind: 'operator', id: null, name: 'operator' }, requestId: null, ip: null }

/** Each with its arguments, the log that gets it, and its row. */
const RECORDED: Record<string, () => Promise<{ read: () => Promise<Printed[]>; row: object }>> = {
  'orgs create': async () => {
    const { id } = await run('orgs', 'create', 'Corner shop')
    return { ...(await newLog(id)), row: { action: 'createOrganization', target: id, mode: null, outcome: 'ok' } }
  },
  'orgs suspend': async () => {
    const log = await newLog()
    await run('orgs', 'suspend', '--org', log.org)
    await run('orgs', 'resume', '--org', log.org)
    const read = async () => (await log.read()).filter(({ action }: Printed) => action === 'suspendOrganization')
    return { read, row: { action: 'suspendOrganization', target: log.org, mode: null, outcome: 'ok' } }
  },
  'orgs resume': async () => {
    const log = await newLog()
    await run('orgs', 'resume', '--org', log.org)
    return { ...log, row: { action: 'resumeOrganization', target: log.org, mode: null, outcome: 'ok' } }
  },
  'orgs delete': async () => {
    const { id, world } = await newOrganization(undefined, 'Corner shop')
    await world.accounts.setSuspended({ organizationId: id, isSuspended: true })
    world.advance(10_000)
    await run('orgs', 'delete', '--org', id, '--confirm', 'Corner shop')
    // No user can read it any more.
    const read = async () => {
      const { actions } = await world.accounts.listActions({ logId: id, page: { limit: 10 } })
      return actions.map(({ actorKind, actorId, actorName, requestId, ip, action, target, outcome }) => ({
        actor: { kind: actorKind, id: actorId || null, name: actorName },
        ...{ requestId: requestId || null, ip: ip || null, action, target, outcome },
      })) as unknown as Printed[]
    }
    return { read, row: { action: 'deleteOrganization', target: id, outcome: 'ok' } }
  },
  'keys create': async () => {
    const log = await newLog()
    const scopes = ['--scopes', 'read', '--name', 'Till']
    const { id } = await run('keys', 'create', '--org', log.org, '--mode', 'live', ...scopes)
    return { ...log, row: { action: 'createApiKey', target: id, targetName: 'Till', mode: 'live', outcome: 'ok' } }
  },
  'keys revoke': async () => {
    const log = await newLog()
    const world = await getWorld()
    const key = { organizationId: log.org, name: 'Till', mode: 'test', scopes: ['read'] }
    const { apiKey } = await world.accounts.createApiKey(key)
    const id = apiKey?.id ?? ''
    await run('keys', 'revoke', id)
    return { ...log, row: { action: 'revokeApiKey', target: id, targetName: 'Till', mode: 'test', outcome: 'ok' } }
  },
  'plans set': async () => {
    const log = await newLog()
    await run('plans', 'set', '--org', log.org, '--prints', '5', '--computers', 'unlimited')
    return { ...log, row: { action: 'setPlan', target: null, mode: null, outcome: 'ok' } }
  },
  'users add': async () => {
    const log = await newLog()
    const email = `added-${log.email}`
    const { id } = await run('users', 'add', '--org', log.org, '--email', email, '--role', 'owner')
    return { ...log, row: { action: 'addMember', target: id, targetName: email, mode: null, outcome: 'ok' } }
  },
  'users sign-in-code': async () => {
    const log = await newLog()
    await run('users', 'sign-in-code', log.email.toUpperCase())
    const row = { action: 'createSignInCode', target: log.userId, targetName: log.email, mode: null, outcome: 'ok' }
    return { ...log, row }
  },
  'users remove': async () => {
    const log = await newLog()
    const { email, userId } = await signInAs({ id: log.org, world: await getWorld() }, 'owner')
    await run('users', 'remove', email)
    return { ...log, row: { action: 'removeUser', target: userId, mode: null, outcome: 'ok' } }
  },
}

test.each(Object.keys(COMMANDS).filter((name) => !name.endsWith(' list')))(
  '`admin %s` is recorded with the actor operator',
  async (name) => {
    proves('audit.operator')
    const recorded = await RECORDED[name]?.()
    expect(await recorded?.read()).toMatchObject([{ ...OPERATOR, ...recorded?.row }])
  },
)

test('`rotate webhook-key` is in the log of each organization', async () => {
  proves('audit.operator.rotate')
  const { read } = await newLog()
  await rotateWebhookKey(await connectWorld())
  expect(await read()).toMatchObject([{ ...OPERATOR, action: 'rotateWebhookKey', target: null, outcome: 'ok' }])
})

test('a refused command is recorded with its error code; for an unknown organization it is refused as usual', async () => {
  const { org, read } = await newLog()
  const create = (organization: string) =>
    run('keys', 'create', '--org', organization, '--mode', 'prod', '--scopes', 'read')
  await expect(create(org)).rejects.toMatchObject({ code: 'invalid_request' })
  expect(await read()).toMatchObject([
    { ...OPERATOR, action: 'createApiKey', target: null, mode: null, outcome: 'invalid_request' },
  ])
  await expect(
    run('users', 'add', '--org', 'shop', '--email', 'a@example.com', '--role', 'owner'),
  ).rejects.toMatchObject({
    code: 'not_found',
  })
})
