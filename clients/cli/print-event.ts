/** Events of the feed as lines. */
import type { Event, FollowOptions, Platen } from '@platen/sdk'
import { formatTime, inform, type OutputOptions, print, printRows, toLine } from './output.ts'

export function printEvent(event: Event, options: OutputOptions): void {
  const { timestamp, type, data } = event
  const name = 'title' in data ? data.title : 'displayName' in data ? data.displayName : data.name
  const time = formatTime(timestamp, options)
  if (options.json || !process.stdout.isTTY) {
    const columns = [time, type, data.id, name].map((value) => ({ title: '', get: () => value }))
    printRows([event], columns, options)
    return
  }
  const message = 'stateMessage' in data && data.stateMessage ? `  ${data.stateMessage}` : ''
  print(`${time}  ${type.padEnd(18)}  ${data.id}  ${toLine(`${name}${message}`)}`)
}

/** Until Ctrl-C. */
export async function followAndPrint(platen: Platen, follow: FollowOptions, options: OutputOptions): Promise<void> {
  const feed = platen.events.follow({
    ...follow,
    onFailed: ({ message }) => inform(`${message} Trying again.`),
    onRecovered: () => inform('The server answers again.'),
  })
  for await (const event of feed) printEvent(event, options)
}
