import { expect, test } from 'vitest'
import { exampleEvent } from '../../event-examples.ts'
import { EVENT_SCHEMAS } from '../../event-schema.ts'
import { EVENT_TYPES } from '../../event-types.ts'

test.each(EVENT_TYPES)('the example of %s matches its schema, in both modes', (type) => {
  for (const mode of ['live', 'test'] as const) {
    const example = exampleEvent(type, mode)
    expect(EVENT_SCHEMAS.get(type)?.parse(example)).toEqual(example)
    expect(example).toMatchObject({ type, mode })
  }
})

test('the example of a printer event has no capabilities', () => {
  expect(exampleEvent('printer.updated', 'live').data).not.toHaveProperty('capabilities')
})
