import { existsSync, readFileSync } from 'node:fs'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'
import { BUDGETS, type Budget } from '../../budgets.ts'

const read = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8')
const STATUS = { quota_exceeded: 402, limit_reached: 409, rate_limited: 429 }

test('the page of limits has every budget, the page of settings its variable, and the code its enforcement', () => {
  proves('budgets.table')
  const section = read('docs/reference/limits.md').split('## Budgets')[1]?.split('\n## ')[0] ?? ''
  const budgets: Budget[] = Object.values(BUDGETS)
  const expected = budgets.map(({ what, max, setting, refusal, beyond = '' }) => {
    const answer = refusal ? `\`${STATUS[refusal.code]} ${refusal.code}\`` : beyond
    return `| ${what} | ${max.toLocaleString('en')} | ${setting ? `\`${setting.name}\`` : ''} | ${answer} |`
  })
  expect(
    section
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .slice(2),
  ).toEqual(expected)
  for (const { max, setting, in: file } of budgets) {
    if (setting) expect(read('docs/settings.md')).toMatch(new RegExp(`\`${setting.name}\` \\| [^|]+\\| \`${max}\``))
    expect(existsSync(new URL(`../../../${file}`, import.meta.url)), file).toBe(true)
  }
})
