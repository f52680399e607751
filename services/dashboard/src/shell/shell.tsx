import { Link, useLocation } from '@tanstack/react-router'
import { BookOpen, Keyboard, LogOut, Menu, Monitor, Moon, Settings, Sun, X } from 'lucide-react'
import { type ReactNode, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { useLive } from '../api/live.tsx'
import { Button } from '../ui/button.tsx'
import { useShortcuts } from '../ui/shortcuts.ts'
import { getTheme, setTheme, type Theme } from '../ui/theme.ts'
import { ModeSwitch, Navigation } from './navigation.tsx'
import { OrganizationSwitch } from './organization-switch.tsx'
import { SearchButton } from './search-button.tsx'
import { ShortcutsDialog } from './shortcuts-dialog.tsx'
import { SignOutButton } from './sign-out-button.tsx'
import { UpdateNotice } from './update-notice.tsx'

/** The frame of every page after the sign-in. On narrow screens the navigation opens from one button. */
export function Shell({ hasMode, children }: { hasMode: boolean; children: ReactNode }) {
  const { mode } = useLive()
  const isTest = hasMode && mode === 'test'
  const [hasHelp, setHasHelp] = useState(false)
  const showHelp = useCallback(() => setHasHelp(true), [])
  useShortcuts(showHelp)
  const content = useFocusOfPage()
  return (
    <div className="min-h-dvh md:grid md:grid-cols-[13rem_minmax(0,1fr)]">
      <a href="#content" className="button sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-40">
        Skip to the page
      </a>
      {isTest && <div aria-hidden className="test-frame" />}
      <aside className="sticky top-0 hidden h-dvh overflow-y-auto border-r bg-surface p-3 md:block">
        <SideBar hasMode={hasMode} onHelp={showHelp} />
      </aside>
      <MobileBar hasMode={hasMode} isTest={isTest} onHelp={showHelp} />
      <main ref={content} id="content" tabIndex={-1} className="min-w-0 outline-none">
        <UpdateNotice />
        {children}
      </main>
      {hasHelp && <ShortcutsDialog onClose={() => setHasHelp(false)} />}
    </div>
  )
}

/** The last page. Outside of the frame, which is mounted anew for another mode or organization. */
let shownPath: string | undefined

/** Moves the focus to a new page, so that screen readers read it and Tab continues in it. */
function useFocusOfPage() {
  const { pathname } = useLocation()
  const ref = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    if (shownPath !== undefined && shownPath !== pathname) ref.current?.focus({ preventScroll: true })
    shownPath = pathname
  }, [pathname])
  return ref
}

/** Requests to this computer itself leave no trace in a network. */
const isExposed = (isEncrypted: boolean) =>
  !isEncrypted && !['localhost', '127.0.0.1', '[::1]'].includes(location.hostname)

/** The size of a button at the end of the navigation. */
const SMALL = 'min-h-7 px-1.5 text-xs text-muted'

interface SideBarProps {
  hasMode: boolean
  onNavigate?: () => void
  onHelp: () => void
}

function SideBar({ hasMode, onNavigate, onHelp }: SideBarProps) {
  const { session, organization } = useLive()
  return (
    <div className="flex min-h-full flex-col gap-4">
      <div className="flex flex-col gap-3">
        <div className="px-2.5 pt-1">
          <div className="font-semibold">Platen</div>
          {session.organizations.length > 1 ? (
            <OrganizationSwitch />
          ) : (
            <div className="truncate text-xs text-muted">{organization.name}</div>
          )}
        </div>
        <ModeSwitch hasMode={hasMode} onNavigate={onNavigate} />
        {onNavigate === undefined && <SearchButton />}
      </div>
      <Navigation onNavigate={onNavigate} />
      <div className="mt-auto flex flex-col gap-2 border-t pt-3">
        {organization.role === 'owner' && isExposed(session.isEncrypted) && (
          <p className="rounded-md bg-warn-soft px-2.5 py-2 text-xs text-warn">
            This connection is not encrypted. Others in the network can read what you see here.
          </p>
        )}
        <a
          href="/docs"
          className="flex min-h-8 items-center gap-2.5 rounded-md px-2.5 text-sm font-medium text-muted hover:bg-raised hover:text-text"
        >
          <BookOpen size={16} aria-hidden />
          Docs
        </a>
        <Link
          to="/settings"
          activeOptions={{ includeSearch: false }}
          onClick={onNavigate}
          className="-mt-1.5 flex min-h-8 items-center gap-2.5 rounded-md px-2.5 text-sm font-medium text-muted hover:bg-raised hover:text-text"
          activeProps={{ className: 'bg-raised text-text' }}
        >
          <Settings size={16} aria-hidden />
          Settings
        </Link>
        <p className="px-2.5 text-xs text-muted">{session.user.email}</p>
        <div className="flex flex-wrap gap-x-1 px-1">
          <ThemeButton />
          <Button
            variant="quiet"
            className={SMALL}
            aria-label="Keyboard shortcuts"
            aria-keyshortcuts="?"
            onClick={() => {
              onNavigate?.()
              onHelp()
            }}
          >
            <Keyboard size={14} aria-hidden />
            Shortcuts
          </Button>
          <SignOutButton variant="quiet" className={SMALL}>
            <LogOut size={14} aria-hidden />
            Sign out
          </SignOutButton>
        </div>
      </div>
    </div>
  )
}

const THEMES: { theme: Theme; Icon: typeof Sun; label: string }[] = [
  { theme: 'system', Icon: Monitor, label: 'Theme: as the system' },
  { theme: 'light', Icon: Sun, label: 'Theme: light' },
  { theme: 'dark', Icon: Moon, label: 'Theme: dark' },
]

function ThemeButton() {
  const [theme, setShown] = useState(getTheme)
  const index = THEMES.findIndex((one) => one.theme === theme)
  const { Icon, label } = THEMES[index] ?? (THEMES[0] as (typeof THEMES)[number])
  const next = THEMES[(index + 1) % THEMES.length]?.theme ?? 'system'
  return (
    <Button
      variant="quiet"
      className={SMALL}
      aria-label={label}
      title={label}
      onClick={() => {
        setTheme(next)
        setShown(next)
      }}
    >
      <Icon size={14} aria-hidden />
      Theme
    </Button>
  )
}

function MobileBar({ hasMode, isTest, onHelp }: { hasMode: boolean; isTest: boolean; onHelp: () => void }) {
  const { organization } = useLive()
  const [isOpen, setIsOpen] = useState(false)
  const ref = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    if (isOpen) ref.current?.showModal()
    else ref.current?.close()
  }, [isOpen])
  const close = () => setIsOpen(false)
  return (
    <div className="sticky top-0 z-10 flex items-center gap-2 border-b bg-surface px-2 py-1.5 md:hidden">
      <Button variant="quiet" aria-label="Navigation" aria-expanded={isOpen} onClick={() => setIsOpen(true)}>
        <Menu size={18} aria-hidden />
      </Button>
      <span className="truncate text-sm font-semibold">{organization.name}</span>
      <SearchButton isSmall />
      {isTest && <span className="rounded bg-warn-soft px-1.5 text-xs font-bold text-warn">TEST</span>}
      <dialog
        ref={ref}
        aria-label="Navigation"
        onClose={close}
        closedby="any"
        className="m-0 h-dvh max-h-none w-64 max-w-[85vw] border-r bg-surface p-3 text-text"
      >
        <div className="flex h-full flex-col">
          <Button variant="quiet" className="self-end" aria-label="Close" onClick={close}>
            <X size={18} aria-hidden />
          </Button>
          <div className="min-h-0 grow">
            {isOpen && <SideBar hasMode={hasMode} onNavigate={close} onHelp={onHelp} />}
          </div>
        </div>
      </dialog>
    </div>
  )
}
