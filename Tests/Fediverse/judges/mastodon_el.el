;;; mastodon_el.el --- mastodon.el against a server  -*- lexical-binding: t -*-
;;; Commentary:
;; emacs --batch -l mastodon_el.el ORIGIN CA CODE-COMMAND...
;;
;; Prints a line for each thing that it did.  CODE-COMMAND prints the code that the page at a URL shows.
;;; Code:
(require 'package)
(package-initialize)
(setq gnutls-trustfiles (list (nth 1 command-line-args-left))
      network-security-level 'low
      mastodon-instance-url (nth 0 command-line-args-left)
      mastodon-active-user "ann"
      url-proxy-services nil)
(defvar judge-command (nthcdr 2 command-line-args-left))
(setq command-line-args-left nil)
(require 'mastodon)
(require 'mastodon-auth)
(require 'mastodon-http)
(require 'mastodon-tl)
(require 'mastodon-toot)

(defun did (what holds)
  "Tell that WHAT was done, if HOLDS."
  (princ (format "%s %s\n" (if holds "ok" "FAILED") what)))

;; The code is read from a window, which there is none of.
(advice-add 'mastodon-auth--show-notice :override
            (lambda (&rest _)
              (with-temp-buffer
                (apply #'call-process (car judge-command) nil t nil
                       (append (cdr judge-command) (list (current-kill 0))))
                (string-trim (buffer-string)))))

(defun texts (page)
  "Return the identifiers of the statuses of a PAGE."
  (mapcar (lambda (status) (alist-get 'id status)) page))

(defun post (text)
  "Post TEXT and return its identifier."
  (with-current-buffer (mastodon-http--post (mastodon-http--api "statuses") `(("status" . ,text)) nil)
    (alist-get 'id (mastodon-http--process-json))))

(did "registers and signs in" (mastodon-auth--access-token))
(did "knows who it is" (string-prefix-p "ann" (mastodon-auth--get-account-name)))
(let* ((made (mapcar (lambda (n) (post (format "post %d" n))) (number-sequence 0 4)))
       (home (concat (mastodon-http--api "timelines/home") "?limit=2"))
       (first (mastodon-http--get-json home))
       (older (mastodon-tl--more-json "timelines/home" (nth 3 made)))
       (newer (mastodon-tl--updated-json "timelines/home" (nth 2 made))))
  (did "posts and reads a page" (equal (texts first) (list (nth 4 made) (nth 3 made))))
  (did "pages down" (equal (texts older) (list (nth 2 made) (nth 1 made) (nth 0 made))))
  (did "pages up" (equal (texts newer) (list (nth 4 made) (nth 3 made))))
  (dolist (what '("favourite" "reblog" "bookmark"))
    (dolist (form '("" "un"))
      (with-current-buffer (mastodon-http--post (mastodon-http--api (format "statuses/%s/%s%s" (car made) form what)) nil nil)
        (did (concat form what) (string= (mastodon-http--status) "200")))))
  (mastodon-http--delete (mastodon-http--api (concat "statuses/" (nth 1 made))))
  (did "deletes" (not (member (nth 1 made) (texts (mastodon-http--get-json (mastodon-http--api "timelines/home")))))))
;;; mastodon_el.el ends here
