import { expect, test } from 'vitest'
import { checkRules, undocumented } from '../../rules.ts'

const ONE = 'A rule. <a id="a.one"></a>\n'
const TWO = 'Another rule. <a id="a.two"></a>\n'
const check = (docs: string, fullName: string, status = 'passed') => checkRules([{ fullName, status }], docs)

test('a title proves the rules in its brackets, and those in the brackets of its describe', () => {
  for (const title of ['x [a.one a.two]', 'x [a.one] y [a.two]']) expect(check(ONE + TWO, title)).toEqual([])
})

test.each([
  ['no test names a rule', ONE + TWO, 'x [a.one]', 'passed', 'No passed test names the rule a.two.'],
  ['the test of a rule failed', ONE, 'x [a.one]', 'failed', 'No passed test names the rule a.one.'],
  ['a rule is not documented', ONE, 'x [a.one b.x]', 'passed', 'A test names b.x, which docs/ does not have.'],
  ['a rule is documented twice', ONE + ONE, 'x [a.one]', 'passed', 'docs/ has the rule a.one twice.'],
])('the check fails when %s', (_, docs, title, status, problem) => {
  expect(check(docs, title, status)).toEqual([problem])
})

test.each(['[fail]', '[127.0.0.1]', '[1, 2]', '[a.x, a.y]'])('the title %s names no rule', (title) => {
  expect(check('', title)).toEqual([])
})

test('operations, errors, event types, transitions and limits need rules', () => {
  const ids = ['endpoint.GET.webhooks.id', 'error.404.not_found', 'event.printer.added', 'edge.sent.requeue.queued']
  const limit = 'docs/ has no rule for the maximum 1000 of `maxUses`.'
  const problems = [...ids.map((id) => `docs/ does not have the rule ${id}.`), limit]
  expect(undocumented('')).toEqual(expect.arrayContaining(problems))
  const docs = ids.map((id) => `<a id="${id}"></a>\n`).join('')
  expect(undocumented(`${docs}\`maxUses\` <a id="x.1000"></a>`)).toHaveLength(undocumented('').length - 5)
})
