import { z } from 'zod'

export function integer(min: number, max: number) {
  const rule = `must be an integer from ${min} to ${max}`
  return z.int(rule).min(min, rule).max(max, rule)
}
