/** The theme of VitePress with the fonts of the system. Examples have the address of the installation. */
import { onContentUpdated, type Theme } from 'vitepress'
import theme from 'vitepress/theme-without-fonts'
import { EXAMPLE_ADDRESS } from '../../../../services/resources/example-address.ts'

/** Runs in the browser, because the pages are the same for every installation and caches can store them. */
function showAddress(): void {
  for (const block of document.querySelectorAll('.vp-doc pre')) {
    const texts = document.createTreeWalker(block, NodeFilter.SHOW_TEXT)
    for (let text = texts.nextNode(); text; text = texts.nextNode())
      text.nodeValue = text.nodeValue?.replaceAll(EXAMPLE_ADDRESS, location.origin) ?? null
    // Colours can divide an address.
    for (const line of block.querySelectorAll('.line')) {
      const shown = line.textContent.replaceAll(EXAMPLE_ADDRESS, location.origin)
      if (shown !== line.textContent) line.textContent = shown
    }
  }
}

export default { extends: theme, setup: () => onContentUpdated(showAddress) } satisfies Theme
