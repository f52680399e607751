/** A command cannot be executed. The message is for users: the cause and what to do. */
export class CommandRefused extends Error {
  override name = 'CommandRefused'
}
