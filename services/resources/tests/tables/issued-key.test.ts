import { expect, test } from 'vitest'
import { hashApiKey, isWellFormedApiKey } from '../../api-key.ts'

const ISSUED = 'platen_test_EODkoo7gc0jhFX39E131XbWv3GTUismslL5PvfT09gw3CbNUY'

test('a key that an earlier release issued is well formed and has the same hash', () => {
  expect(isWellFormedApiKey(ISSUED)).toBe(true)
  expect(Buffer.from(hashApiKey(ISSUED)).toString('hex')).toBe(
    '3785b5e6867c6d05f8a2960b6c1481e03c62153b356fcb1977c49f0fea90ea53',
  )
})
