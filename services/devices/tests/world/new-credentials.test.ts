/** Old credentials of agents are replaced. */
import { status } from '@grpc/grpc-js'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'
import { hashCredential } from '../../agents/credential.ts'
import { adoptCredential } from '../../agents/new-credentials.ts'
import { startTestDevices } from '../start-test-devices.ts'
import { connectTestAgent } from '../test-agent.ts'

async function enrollDaysAgo(days: number) {
  const { world, enroll, query } = await startTestDevices()
  const { credential, computerId } = await enroll()
  await query(
    'UPDATE devices.computer SET created_at = $2 WHERE organization_id = $1',
    new Date(world.clock.now().getTime() - days * 24 * 60 * 60_000),
  )
  /** @returns the agent and the credential that Welcome offers. */
  async function hello(by: string) {
    const agent = connectTestAgent(world.agentAddress, by)
    agent.hello()
    const [welcome] = await agent.waitForMessages('welcome')
    expect(welcome?.computerId).toBe(computerId)
    return { agent, offered: welcome?.newCredential ?? '' }
  }
  async function expectRefused(by: string) {
    const agent = connectTestAgent(world.agentAddress, by)
    agent.hello()
    expect(await agent.ending()).toMatchObject({ code: status.UNAUTHENTICATED })
  }
  return { credential, computerId, hello, expectRefused, world }
}

test('a credential of 30 days is replaced by one that Welcome offers; the old one is valid until the new one is used', async () => {
  proves('agent.credential.30-days', 'agent.credential.until-used')
  const { credential, hello, expectRefused } = await enrollDaysAgo(30)
  const lost = await hello(credential)
  expect(lost.offered).toMatch(/^platen_agent_/)
  const { offered } = await hello(credential)
  await expectRefused(lost.offered)
  expect((await hello(offered)).offered).toBe('')
  await expectRefused(credential)
})

test('a confirmed credential ends the old one at once', async () => {
  const { credential, hello, expectRefused, world } = await enrollDaysAgo(30)
  const { agent, offered } = await hello(credential)
  agent.send({ case: 'credentialStored', value: {} })
  await expect
    .poll(async () => await world.query('SELECT FROM devices.computer WHERE credential_sha256 = sha256($1)', [offered]))
    .toHaveLength(1)
  await expectRefused(credential)
  expect((await hello(offered)).offered).toBe('')
})

test('a younger credential stays, and a confirmation without an offer changes nothing', async () => {
  const { credential, hello } = await enrollDaysAgo(29)
  const { agent, offered } = await hello(credential)
  agent.send({ case: 'credentialStored', value: {} })
  expect([offered, (await hello(credential)).offered]).toEqual(['', ''])
})

test('a new credential that two streams use first at once stays valid', async () => {
  const { credential, hello, world } = await enrollDaysAgo(30)
  const { offered } = await hello(credential)
  for (let n = 0; n < 2; n++) await adoptCredential(world.contexts.devices, hashCredential(offered))
  expect((await hello(offered)).offered).toBe('')
})
