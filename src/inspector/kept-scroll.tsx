import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { keepScroll, keptScroll } from './router.js'

/**
 * Keeps how far the part of the page around it is scrolled, for the way back. Belongs behind what the part loads, since a
 * part without content cannot be scrolled.
 */
export function KeptScroll({ part, otherwise }: { part: string; otherwise?: () => void }) {
  const mark = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    const around = mark.current?.closest('.pane, main')
    const kept = keptScroll(part)
    if (around && kept !== undefined) around.scrollTop = kept
    else if (otherwise) otherwise()
    else if (around) around.scrollTop = 0
  }, [])
  useEffect(() => {
    const around = mark.current?.closest('.pane, main')
    let timer: ReturnType<typeof setTimeout> | undefined
    const onScroll = (): void => {
      clearTimeout(timer)
      timer = setTimeout(() => keepScroll(part, around?.scrollTop ?? 0), 100)
    }
    around?.addEventListener('scroll', onScroll)
    return () => {
      clearTimeout(timer)
      around?.removeEventListener('scroll', onScroll)
    }
  }, [])
  return <span ref={mark} hidden />
}
