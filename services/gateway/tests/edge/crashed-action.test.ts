import { signInAs } from '@platen/test/harness/browser.ts'
import { newOrganization } from '@platen/test/harness/organization.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'
import { UNKNOWN_ID } from '../client.ts'
import { startGatewayProcess, startSilentServer } from './start-gateway.ts'

test('an action whose gateway is killed before its outcome stays in the audit log without one', async () => {
  proves('audit.unknown')
  const owner = await signInAs(await newOrganization(), 'owner')
  const devices = await startSilentServer()
  const gateway = await startGatewayProcess({ PLATEN_DEVICES_URL: devices.url })
  await gateway.isUp()
  const answered = owner.delete(`/v1/computers/${UNKNOWN_ID}`, { url: gateway.url }).catch(() => 'no answer')
  await devices.connected
  await gateway.kill()
  expect(await answered).toBe('no answer')
  const { data } = (await owner.get('/account/audit?action=deleteComputer')).body
  expect(data).toMatchObject([{ target: UNKNOWN_ID, actor: { id: owner.userId }, outcome: null }])
})
