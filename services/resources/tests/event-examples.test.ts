import { expect, test } from 'vitest'
import { exampleEvent } from '../event-examples.ts'
import { EVENT_SCHEMAS } from '../event-schema.ts'
import { EVENT_TYPES } from '../event-types.ts'

test.each(EVENT_TYPES)('the example of %s is one of it, in the mode that was asked for', (type) => {
  const schema = EVENT_SCHEMAS.get(type)

  for (const mode of ['live', 'test'] as const) {
    const example = exampleEvent(type, mode)
    expect(schema?.parse(example)).toEqual(example)
    expect(example).toMatchObject({ type, mode })
  }
})

test('the example of a printer event has no capabilities', () => {
  expect(exampleEvent('printer.updated', 'live').data).not.toHaveProperty('capabilities')
})
