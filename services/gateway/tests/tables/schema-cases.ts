import { parseCase, proves } from '@platen/test/harness/rules.ts'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { parseRequest } from '../../request/invalid-request.ts'

/** A range by the first part of its rule's ids, which end with the values: all values, or these alone. */
type Limit = [make: (value: number) => object, min: number, max: number, ruled?: number[]]

interface Cases {
  limits?: Record<string, Limit>
  /** Sent with the fields of each case. */
  base?: object
  /** Cases by case (`parseCase`): fields that are parsed without a change. */
  takes?: Record<string, object>
  /** Cases by case: the sent and the parsed fields. */
  reads?: Record<string, [sent: object, expected: object]>
  /** Values by field: invalid values. The message names the field. */
  wrong?: Record<string, unknown[]>
  /** Cases by case: the sent fields and the message. */
  refuses?: Record<string, [sent: unknown, message: RegExp]>
}

export const emoji = (count: number) => '🖨'.repeat(count)

/** @param schema of an operation. */
export const reader =
  (schema: z.ZodType | undefined, kind: 'field' | 'parameter' = 'field') =>
  (value: unknown) => {
    if (!schema) throw new Error('the operation has no such schema')
    return parseRequest(schema, value, kind)
  }

/** A test for each case. */
export function schemaCases(
  name: string,
  read: (value: unknown) => unknown,
  { base = {}, limits = {}, takes = {}, reads = {}, wrong = {}, refuses = {} }: Cases,
): void {
  const isFields = (sent: unknown) => typeof sent === 'object' && sent !== null && !Array.isArray(sent)
  const whole = (sent: unknown) => (isFields(sent) ? { ...base, ...(sent as object) } : sent)
  const taken = Object.entries(takes).map(([key, fields]) => [key, fields, fields] as const)
  const changed = Object.entries(reads).map(([key, [sent, expected]]) => [key, sent, expected] as const)
  const refuse = (sent: unknown, message: RegExp) =>
    expect(() => read(whole(sent))).toThrow(
      expect.objectContaining({ code: 'invalid_request', message: expect.stringMatching(message) }),
    )
  describe(name, () => {
    for (const [id, [make, min, max, ruled]] of Object.entries(limits)) {
      const name = id.slice(id.indexOf('.') + 1)
      const proveLimit = (value: number) => {
        if (ruled?.includes(value) ?? true) proves(`${id}.${value}`)
      }
      for (const value of [min, max])
        test(`takes ${value} for ${name}`, () => {
          proveLimit(value)
          read(whole(make(value)))
        })
      const below = min === 0 ? [] : [min - 1]
      for (const value of [...below, max + 1]) {
        const rule = new RegExp(`${Object.keys(make(min))[0]}.*: must .*\\b${value < min ? min : max}\\b`)
        test(`refuses ${value} for ${name}`, () => {
          proveLimit(value)
          refuse(make(value), rule)
        })
      }
    }
    for (const [key, sent, expected] of [...taken, ...changed]) {
      const [title, ids] = parseCase(key)
      test(`takes ${title}`, () => {
        proves(...ids)
        expect(read(whole(sent))).toMatchObject(expected)
      })
    }
    for (const [field, values] of Object.entries(wrong))
      test.each(values.map((value) => ({ [field]: value })))('refuses %j', (sent) =>
        refuse(sent, new RegExp(`\`${field}`)),
      )
    for (const [key, [sent, message]] of Object.entries(refuses)) {
      const [title, ids] = parseCase(key)
      test(`refuses ${title}`, () => {
        proves(...ids)
        refuse(sent, message)
      })
    }
  })
}
