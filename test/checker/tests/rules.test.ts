import { expect, test } from 'vitest'
import { parseCase } from '../../harness/rules.ts'
import { checkRules, undocumented } from '../../tools/rules.ts'

const ONE = 'A rule. <a id="a.one"></a>\n'
const TWO = 'Another rule. <a id="a.two"></a>\n'
const check = (docs: string, ids: string[], status = 'passed', fullName = 'x') =>
  checkRules([{ fullName, status, meta: { rules: ids } }], docs)

test('a test proves its rules', () => {
  expect(check(ONE + TWO, ['a.one', 'a.two'])).toEqual([])
})

test.each([
  ['no test names a rule', ONE + TWO, ['a.one'], 'passed', 'No passed test names the rule a.two.'],
  ['the test of a rule failed', ONE, ['a.one'], 'failed', 'No passed test names the rule a.one.'],
  ['a rule is not documented', ONE, ['a.one', 'b.x'], 'passed', 'A test names b.x, which docs/ does not have.'],
  ['a rule is documented twice', ONE + ONE, ['a.one'], 'passed', 'docs/ has the rule a.one twice.'],
])('the check fails when %s', (_, docs, ids, status, problem) => {
  expect(check(docs, ids, status)).toEqual([problem])
})

test('the check fails when a title has a rule', () => {
  expect(check(ONE, ['a.one'], 'passed', 'x [a.one]')).toEqual([expect.stringMatching(/^A title has a rule/)])
  expect(check(ONE, ['a.one'], 'passed', 'x [127.0.0.1]')).toEqual([])
})

test.each([
  ['no title [create.title.missing]', 'no title', ['create.title.missing']],
  ['a [b] c', 'a [b] c', []],
])('a case has a title and rules: %#', (name, title, ids) => {
  expect(parseCase(name)).toEqual([title, ids])
})

test('operations, errors, event types, transitions and limits need rules', () => {
  const ids = ['endpoint.GET.webhooks.id', 'error.404.not_found', 'event.printer.added', 'edge.sent.requeue.queued']
  const limit = 'docs/ has no rule for the maximum 1000 of `maxUses`.'
  const problems = [...ids.map((id) => `docs/ does not have the rule ${id}.`), limit]
  expect(undocumented('')).toEqual(expect.arrayContaining(problems))
  const docs = ids.map((id) => `<a id="${id}"></a>\n`).join('')
  expect(undocumented(`${docs}\`maxUses\` <a id="x.1000"></a>`)).toHaveLength(undocumented('').length - 5)
})
