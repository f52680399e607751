import { expect, test } from 'vitest'
import { makePdf } from '../pdf.ts'

test('a document has the size that is asked for, also where a number in it gains a digit', () => {
  for (let sizeBytes = 1_000; sizeBytes <= 2_500; sizeBytes++)
    expect(makePdf('Hello', sizeBytes)).toHaveLength(sizeBytes)
  for (let sizeBytes = 9_900; sizeBytes <= 11_100; sizeBytes++)
    expect(makePdf('Hello', sizeBytes)).toHaveLength(sizeBytes)
})
