import { expect, test } from 'vitest'
import { checkRules, undocumented } from '../../rules.ts'

const DOCS = 'A rule. <a id="a.one"></a>\nAnother rule. <a id="a.two"></a>'
const run = (title: string, status = 'passed', ancestorTitles = ['x']) => ({ title, ancestorTitles, status })
const check = (docs: string, ...assertionResults: ReturnType<typeof run>[]) =>
  checkRules({ testResults: [{ assertionResults }] }, docs)

test('the title of a test or of a describe proves a rule', () => {
  expect(check(DOCS, run('x [a.one a.two]'))).toEqual([])
  expect(check(DOCS, run('x [a.one]', 'passed', ['y', 'z [a.two]']))).toEqual([])
})

test.each([
  ['no test names a rule', DOCS, run('x [a.one]'), 'No passed test names the rule a.two.'],
  [
    'a test that failed names a rule',
    DOCS.slice(0, 30),
    run('x [a.one]', 'failed'),
    'No passed test names the rule a.one.',
  ],
  ['a rule is not documented', DOCS, run('x [a.one a.two b.x]'), 'A test names b.x, which docs/ does not have.'],
  ['a rule is documented twice', DOCS.replace('two', 'one'), run('x [a.one]'), 'docs/ has the rule a.one twice.'],
])('the check fails when %s', (_, docs, result, problem) => {
  expect(check(docs, result)).toEqual([problem])
})

test.each(['[fail]', '[127.0.0.1]', '[1, 2]', '[a.x] in the middle'])('the title %s names no rule', (title) => {
  expect(check('', run(title))).toEqual([])
})

test('operations, errors, event types, transitions and limits need rules', () => {
  const ids = ['endpoint.GET.webhooks.id', 'error.404.not_found', 'event.printer.added', 'edge.sent.give-back.queued']
  const limit = 'docs/ has no rule for the maximum 1000 of `maxUses`.'
  expect(undocumented('')).toEqual(
    expect.arrayContaining([...ids.map((id) => `docs/ does not have the rule ${id}.`), limit]),
  )
  const docs = ids.map((id) => `<a id="${id}"></a>\n`).join('')
  expect(undocumented(`${docs}\`maxUses\` <a id="x.1000"></a>`)).toHaveLength(undocumented('').length - 5)
})
