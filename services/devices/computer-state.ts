/**
 * SQL of the statements that write `computer.state`. Each change inserts one event. Printers of an offline computer are
 * `unknown`, so the time of a different reported state starts when the computer returns.
 */
import { logComputers, nextEvent } from './events.ts'

/** For the SET of an UPDATE of `devices.computer`. @param state in SQL. */
export const setState = (state: string) => `state = ${state}, ${nextEvent('computer', `computer.state <> ${state}`)}`

/**
 * Costs almost nothing for computers whose state stays the same.
 *
 * @param update of `devices.computer`, with `setState` in its SET and without RETURNING. @param at SQL of the time.
 * @param also more columns of `computers`, of `old` and `new`.
 * @returns CTEs. `computers` are the updated rows. Their column `changed` is true if the state has changed.
 */
export const changeComputers = (update: string, at: string, also: string[] = []) => `
WITH computers AS (
  ${update} RETURNING ${['computer.*', 'new.state <> old.state AS changed', ...also].join(', ')}
),
logged AS (${logComputers(`SELECT computers.*, 'computer.' || state AS type FROM computers WHERE changed`, at)}),
printers AS (
  UPDATE devices.printer SET state_differs_since = CASE computers.state WHEN 'online' THEN ${at}::timestamptz END
  FROM computers WHERE changed AND computer_id = computers.id AND removed_at IS NULL AND reported_state <> known_state
)`
