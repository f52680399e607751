/**
 * The statements that write `computer.state` are made by this: each change has its event, and nothing else has one. Printers of an
 * offline computer are `unknown`: whatever is reported of them otherwise than it was last told counts from when the computer is back.
 */
import { logComputers, nextEvent } from './events.ts'

/** For the SET of an UPDATE of `devices.computer`. @param state in SQL. */
export const turns = (state: string) => `state = ${state}, ${nextEvent('computer', `computer.state <> ${state}`)}`

/**
 * Costs next to nothing for computers whose state stays the same.
 *
 * @param update of `devices.computer`, with `turns` in its SET and no RETURNING. @param at the time, in SQL.
 * @returns CTEs. `computers` are those that `update` found, as they are now, and `turned` says whether their state is another one.
 */
export const turnComputers = (update: string, at: string) => `
WITH computers AS (
  ${update} RETURNING computer.*, new.state <> old.state AS turned
),
logged AS (${logComputers(`SELECT computers.*, 'computer.' || state AS type FROM computers WHERE turned`, at)}),
printers AS (
  UPDATE devices.printer SET state_differs_since = CASE computers.state WHEN 'online' THEN ${at}::timestamptz END
  FROM computers WHERE turned AND computer_id = computers.id AND removed_at IS NULL AND reported_state <> known_state
)`
