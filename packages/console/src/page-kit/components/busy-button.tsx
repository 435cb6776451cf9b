import { Button, type ButtonProps } from 'react-aria-components';

/**
 * A button that does nothing while `isBusy`. It keeps the focus, which a disabled button would lose. React Aria's own `isPending`
 * leaves announcements without a name in the page.
 */
export function BusyButton({
  isBusy,
  onPress,
  ...props
}: Omit<ButtonProps, 'isPending' | 'onClickCapture'> & { readonly isBusy: boolean }) {
  return (
    <Button
      {...props}
      data-busy={isBusy || undefined}
      // It does not send its form. Enter in a field clicks the button that does, and so comes here, too.
      onClickCapture={(event) => isBusy && event.preventDefault()}
      {...(!isBusy && onPress !== undefined && { onPress })}
    />
  );
}
