import { expect, test } from 'vitest'
import { toShownState } from '../../shown-state.ts'

const WARNING = 'Ignored options: dpi.'

test.each<[string | null, string[], string | null, string | undefined]>([
  [null, [], null, undefined],
  [null, [], WARNING, WARNING],
  ['The printer is on fire.', ['other'], WARNING, `The printer is on fire. ${WARNING}`],
  ['The virtual printer failed', ['job-aborted-by-system'], WARNING, `The virtual printer failed. ${WARNING}`],
  ['Really?', ['other'], WARNING, `Really? ${WARNING}`],
  ['spooler timeout', ['spooler-timeout'], WARNING, 'spooler timeout'],
  ['The job was purged.', ['purged'], WARNING, 'The job was purged.'],
])(
  'the message `%s` with the reasons %j and the warning %s is `%s`',
  (stateMessage, stateReasons, optionWarning, shown) => {
    const ignored = optionWarning === null ? [] : ['option-ignored']
    expect(toShownState({ stateMessage, stateReasons, optionWarning })).toEqual({
      stateMessage: shown,
      stateReasons: [...stateReasons, ...ignored],
    })
  },
)
