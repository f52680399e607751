import { createHash, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { startTestDevices } from './start-test-devices.ts'

test('of many hashes those are found that stand for a token, be it good, used up or expired', async () => {
  const { devices, organizationId, clock } = await startTestDevices({ mode: 'live' })
  const make = async (expiresInSeconds: number) =>
    (await devices.createEnrollment({ organizationId, maxUses: 1, expiresInSeconds })).token
  const [good, used, expired] = [await make(900), await make(900), await make(60)]
  await devices.enroll({ token: used })
  clock.advanceSeconds(61)
  const known = [good, used, expired].map((token) => createHash('sha256').update(token).digest())
  const unknown = Array.from({ length: 497 }, () => randomBytes(32))
  const { tokenSha256 } = await devices.findEnrollments({ tokenSha256: [...unknown, ...known] })
  const inHex = (hashes: Uint8Array[]) => hashes.map((hash) => Buffer.from(hash).toString('hex')).toSorted()
  expect(inHex(tokenSha256)).toEqual(inHex(known))
  await expect(devices.findEnrollments({ tokenSha256: [...unknown, ...known, randomBytes(32)] })).rejects.toThrow(/500/)
})
