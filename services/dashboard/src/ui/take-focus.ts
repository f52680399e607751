/** A `ref` of the element that has the focus when it appears. `autoFocus` would do so only while the page is loaded. */
export const takeFocus = (element: HTMLElement | null): void => element?.focus()
