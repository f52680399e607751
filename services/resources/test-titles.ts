/**
 * Texts in titles of test jobs that choose the outcome, by what the virtual printers do:
 * `agent/spoolers/virtual/test-titles.ts`.
 */
export const TEST_TITLES = {
  '[fail]': 'fails, maybe after it has printed',
  '[not-printed]': 'fails before anything is printed',
  '[out-of-paper]': 'waits for paper for 10 s, then prints',
  '[offline]': 'waits for 10 s because the printer is off, then prints',
  '[slow]': 'can be cancelled for 20 s, then prints',
  '[expire]': 'is never received, and expires after `expireAfter`',
} as const
