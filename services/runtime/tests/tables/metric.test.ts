import { expect, test } from 'vitest'
import { createLabels } from '../../telemetry/metric.ts'

test('a value that is not in the list of its label becomes `other`; names that the code defines stay', () => {
  const toAttributes = createLabels({ mode: ['live', 'test'], route: null })
  expect(toAttributes({ mode: 'live', route: '/v1/printjobs' })).toEqual({ mode: 'live', route: '/v1/printjobs' })
  expect(toAttributes({ mode: 'constructor', route: 'other' })).toEqual({ mode: 'other', route: 'other' })
})
