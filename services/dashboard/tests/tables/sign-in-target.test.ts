import { expect, test } from 'vitest'
import { toTarget } from '../../src/features/sign-in/target.ts'

test.each([
  [undefined, '/app/'],
  ['/live/jobs?state=all#x', '/app/live/jobs?state=all#x'],
  ['/..//evil.example', '/app/'],
  ['/../v1/printers', '/app/'],
  ['/%2e%2e/docs', '/app/'],
  ['\\..\\..\\evil.example', '/app/'],
  ['lication', '/app/'],
  ['@evil.example', '/app/'],
])('the sign-in with `to` %s leads to %s, a page of the application', (to, target) => {
  expect(toTarget(to, 'https://print.example.com')).toBe(target)
})
