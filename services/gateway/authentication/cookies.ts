/**
 * The cookies of the dashboard. Their values are random tokens, of which accounts stores the SHA-256. Reference:
 * docs/reference/sessions.md#cookies.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { Context } from 'koa'

const TOKEN = /^[A-Za-z0-9_-]{43}$/

export interface Cookie {
  /** @returns the SHA-256 of the token; undefined without one. */
  read(ctx: Context): Buffer | undefined
  /** Sets a token. */
  set(ctx: Context, token: Token, expiresAt: Date): void
  delete(ctx: Context): void
}

export interface Token {
  text: string
  sha256: Buffer
}

export function makeToken(): Token {
  const text = randomBytes(32).toString('base64url')
  return { text, sha256: hash(text) }
}

const hash = (text: string) => createHash('sha256').update(text).digest()

export type Cookies = Record<'session' | 'signIn' | 'knownBrowser', Cookie>

/**
 * @param isSecure whether browsers use TLS. A `__Host-` cookie then cannot be set by another host or port without it.
 */
export function createCookies(isSecure: boolean): Cookies {
  const flags = `HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`

  const cookie = (name: string, path: string): Cookie => {
    const write = (ctx: Context, value: string, end: string) =>
      ctx.append('Set-Cookie', `${name}=${value}; Path=${path}; ${end}; ${flags}`)
    return {
      read(ctx) {
        const text = ctx.cookies.get(name, { signed: false }) ?? ''
        return TOKEN.test(text) ? hash(text) : undefined
      },
      set: (ctx, { text }, expiresAt) => write(ctx, text, `Expires=${expiresAt.toUTCString()}`),
      delete: (ctx) => write(ctx, '', 'Max-Age=0'),
    }
  }
  return {
    session: cookie(`${isSecure ? '__Host-' : ''}platen_session`, '/'),
    signIn: cookie('platen_sign_in', '/account/sign-in'),
    knownBrowser: cookie('platen_known_browser', '/account/sign-in'),
  }
}
