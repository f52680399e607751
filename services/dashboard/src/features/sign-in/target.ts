/** @returns the path of a page of the application, so that a link to the sign-in leads nowhere else. */
export function toTarget(to: string | undefined, origin: string): string {
  const url = new URL(`/app${to ?? '/'}`, origin)
  return url.pathname.startsWith('/app/') ? url.pathname + url.search + url.hash : '/app/'
}

/** The code in the link of a mail, `#code=…`. */
export const readLinkCode = (): string | undefined => /^#code=([0-9A-Z]+)$/i.exec(location.hash)?.[1]

/** The page that led to the sign-in. */
export const readTarget = (): string =>
  toTarget(new URLSearchParams(location.search).get('to') ?? undefined, location.origin)

/** @param href of a page: "/live/jobs". @returns the path of the sign-in page, which leads back. */
export const toSignIn = (href: string): string => `/app/signin?${new URLSearchParams({ to: href })}`
