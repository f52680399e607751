/**
 * Keys without a modifier that run the actions of a page. A button or link declares its key with `aria-keyshortcuts`,
 * which is also how screen readers and the list of shortcuts know it.
 */
import { useLayoutEffect } from 'react'

const KEY = 'platen-shortcuts'

/** The choice is stored in the browser, like the theme. Default: on. */
export const areShortcutsOn = () => localStorage.getItem(KEY) !== 'off'

export function setShortcuts(isOn: boolean): void {
  if (isOn) localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, 'off')
}

/** @returns the visible actions of the page that have a key. */
export const listShortcuts = () =>
  [...document.querySelectorAll<HTMLElement>('[aria-keyshortcuts]')]
    .filter((element) => element.checkVisibility())
    .map((element) => ({
      element,
      key: element.getAttribute('aria-keyshortcuts') ?? '',
      label: element.getAttribute('aria-label') ?? element.textContent,
    }))

/**
 * Focuses and clicks the action of a pressed key. Once for all pages.
 *
 * @param onHelp of `?`, also where its button is not visible.
 */
export function useShortcuts(onHelp: () => void): void {
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (isSearch(event) && !document.querySelector('dialog[open]')) return runShortcut(event, SEARCH_KEY)
      if (!isShortcut(event)) return
      if (event.key === '?') return onHelp()
      runShortcut(event)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [onHelp])
}

/** The key of the search: with Ctrl or, on a Mac, Cmd; also while text is typed, and when other shortcuts are off. */
export const SEARCH_KEY = 'Control+K'

const isSearch = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent) =>
  key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey && !shiftKey

const TYPING = 'input, textarea, select, [contenteditable]'

/** A shortcut has no effect while text is typed, and behind a dialog. */
function isShortcut({
  target,
  defaultPrevented,
  repeat,
  isComposing,
  ctrlKey,
  metaKey,
  altKey,
}: KeyboardEvent): boolean {
  if (defaultPrevented || repeat || isComposing || ctrlKey || metaKey || altKey || !areShortcutsOn()) return false
  return !(target instanceof Element && target.closest(TYPING)) && !document.querySelector('dialog[open]')
}

function runShortcut(event: KeyboardEvent, pressed = event.key): void {
  const element = listShortcuts().find(({ key }) => key === pressed)?.element
  if (!element) return
  event.preventDefault()
  element.focus()
  element.click()
}
