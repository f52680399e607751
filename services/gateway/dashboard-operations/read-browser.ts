import type { RequestContext } from '../context.ts'
import type { Gateway } from '../gateway.ts'

/** The first match of each list. Chrome and Edge also name the browsers that they replace. */
const BROWSERS = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
] as const
const SYSTEMS = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(?:iPhone|iPad)\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
] as const

/** "Firefox on Linux". Never contains the text of the header, which is shown in mails and on pages. */
export function nameBrowser(userAgent: string): string {
  const find = (list: readonly (readonly [string, RegExp])[]) =>
    list.find(([, pattern]) => pattern.test(userAgent))?.[0]
  return `${find(BROWSERS) ?? 'Unknown browser'} on ${find(SYSTEMS) ?? 'an unknown system'}`
}

/** What a sign-in stores of its browser. */
export const readBrowser = (ctx: RequestContext, { getClientAddress }: Pick<Gateway, 'getClientAddress'>) => ({
  name: nameBrowser(ctx.get('User-Agent')),
  ip: getClientAddress(ctx.req),
})
