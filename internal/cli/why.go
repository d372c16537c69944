package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/strandline-stream/strandline"
	"github.com/strandline-stream/strandline/internal/prose"
)

// asking are the flags of the command why.
type asking struct {
	running
	step                      string
	key                       []string
	window, time              string
	record                    int64
	at                        string
	atRecord                  int64
	pid                       int
	question                  strandline.Question
	moment                    when // at
	windowAt, timeAt          when
	wantsWindow, wantsRecords bool
}

func whyCommand(s *streams) *cobra.Command {
	a := &asking{}
	c := &cobra.Command{
		Use:   "why [FILE]",
		Short: "say why a window has not fired, or what became of a record",
		Long: `Says why a window of a key has given nothing, or when it has given what: where the
watermark stands, which split of which source holds it, what the trigger waits
for.

Without FILE it asks a pipeline that runs: the one that listens on --control, or
that of the process --pid, or the only one there is. With FILE the pipeline is
run over its recorded input, as a stream, up to a moment, and asked there;
nothing is written. The same moment gives the same answer.

--at is a watermark and --at-record a number of records; without either the
input is read to its end. A question is for a window (--window, its start), or
for a record: the n-th that was read (--record), or those of a key with an event
time (--key and --time). Without a question it says how splits and steps stand.

Times are in UTC: 2026-07-01T10:00:00Z, "2026-07-01 10:00", 10:00 (of the day
that the watermark is in), or seconds since 1970.

Exit code 1 if there is no answer.`,
		Example: `  strandline why pipeline.yaml --at 10:08:12 --key shop-7 --window 10:00
  strandline why pipeline.yaml --record 17
  strandline why --pid 4711 --key shop-7 --window 10:00`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := a.parse(); err != nil {
				return err
			}
			if len(args) == 1 {
				if a.control != "" || a.pid != 0 {
					return errors.New("a FILE is run over its recorded input, and --control and --pid ask a run that goes on: give one of them")
				}
				return a.replayed(c.Context(), s, args[0])
			}
			return a.live(c.Context(), s)
		},
	}
	a.flags(c)
	f := c.Flags()
	f.StringVar(&a.step, "step", "", "the step; it may be left out if only one has windows")
	f.StringArrayVar(&a.key, "key", nil, "the key; with several fields in group_by once for each")
	f.StringVar(&a.window, "window", "", "the start of the window")
	f.StringVar(&a.time, "time", "", "the event time of a record, instead of --window")
	f.Int64Var(&a.record, "record", 0, "the n-th record, of those that can be read, instead of --window")
	f.StringVar(&a.at, "at", "", "the watermark at which the run is asked")
	f.Int64Var(&a.atRecord, "at-record", 0, "how many records that can be read have been when it is asked")
	f.BoolVar(&a.batch, "batch", false, "hold the watermark until the end of the input, as a batch does")
	f.BoolVar(&a.json, "json", false, "print JSON")
	c.MarkFlagsMutuallyExclusive("window", "time", "record")
	f.StringVar(&a.control, "control", "", "the socket of a run that goes on")
	f.IntVar(&a.pid, "pid", 0, "the process of a run that goes on")
	c.MarkFlagsMutuallyExclusive("at", "at-record")
	c.MarkFlagsMutuallyExclusive("control", "pid")
	return c
}

// when is an instant on a command line: with a day, or of the day that it is asked in.
type when struct {
	t   time.Time
	day bool
}

// on gives the instant, of a day if it has none of its own.
func (w when) on(day time.Time) time.Time {
	if w.day || w.t.IsZero() {
		return w.t
	}
	d := day.UTC().Truncate(24 * time.Hour)
	return d.Add(w.t.Sub(w.t.Truncate(24 * time.Hour)))
}

// parseWhen reads an instant.
func parseWhen(flag, text string) (when, error) {
	if text == "" {
		return when{}, nil
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		const most = 253_402_300_799 // the year 9999
		if n < -most || n > most {
			return when{}, fmt.Errorf("--%s %s: it is in seconds since 1970", flag, text)
		}
		return when{time.Unix(n, 0).UTC(), true}, nil
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04", "2006-01-02"} {
		if t, err := time.Parse(layout, text); err == nil {
			return when{t.UTC(), true}, nil
		}
	}
	for _, layout := range []string{"15:04", "15:04:05"} {
		if t, err := time.Parse(layout, text); err == nil {
			return when{t.AddDate(1970, 0, 0), false}, nil
		}
	}
	return when{}, fmt.Errorf("--%s %s: write a time as 2026-07-01T10:00:00Z, 2026-07-01, 10:00 or seconds since 1970", flag, text)
}

// parse checks the flags.
func (a *asking) parse() (err error) {
	if a.windowAt, err = parseWhen("window", a.window); err != nil {
		return err
	}
	if a.timeAt, err = parseWhen("time", a.time); err != nil {
		return err
	}
	if a.moment, err = parseWhen("at", a.at); err != nil {
		return err
	}
	switch {
	case a.record < 0:
		return fmt.Errorf("--record %d: records are counted from 1", a.record)
	case a.atRecord < 0:
		return fmt.Errorf("--at-record %d: records are counted from 1", a.atRecord)
	}
	a.wantsRecords = a.record > 0 || a.time != ""
	a.wantsWindow = !a.wantsRecords && (a.window != "" || a.key != nil || a.step != "")
	a.question = strandline.Question{Step: a.step, Key: a.key, Record: a.record}
	return nil
}

// replayed runs a pipeline over its recorded input up to a moment, and asks it there.
func (a *asking) replayed(ctx context.Context, s *streams, file string) error {
	if a.time != "" && !a.timeAt.day {
		return fmt.Errorf("--time %s: of which day? Write it as 2026-07-01T%s", a.time, a.time)
	}
	quiet := *s
	quiet.out, quiet.err = io.Discard, io.Discard
	p, err := a.loadOne(ctx, &quiet, file)
	if err != nil {
		return err
	}
	p.Quiet()
	if err := p.Check(ctx); err != nil {
		return &coded{exitError, err}
	}
	built, err := p.Build()
	if err != nil {
		return &coded{exitError, err}
	}
	q := a.question
	q.Time = a.timeAt.t
	opts := []strandline.Option{strandline.Workers(1), strandline.PauseWhen(a.reached()), strandline.Follow(q)}
	if a.batch {
		opts = append(opts, strandline.Batch())
	}
	run, stop := context.WithCancel(ctx)
	defer stop()
	running := built.Start(run, opts...)
	ended := make(chan error, 1)
	go func() {
		_, err := running.Wait()
		ended <- err
	}()
	var note string
	select {
	case <-running.Paused():
		defer func() { stop(); <-ended }()
	case err := <-ended:
		switch {
		case ctx.Err() != nil:
			return &coded{exitInterrupted, nil}
		case err != nil && !errors.Is(err, strandline.ErrMalformed) && !errors.Is(err, strandline.ErrPanesFailed):
			return &coded{exitError, built.Hide(err)}
		case a.at != "" || a.atRecord > 0:
			note = "the input ended before that moment came, so this is how it stands at its end"
		}
	}
	shown := concealed{running, built}
	return a.answer(ctx, s, shown, shown.Inspect(ctx), note)
}

// reached gives the moment at which the run is asked.
func (a *asking) reached() func(int64, time.Time) bool {
	return func(read int64, watermark time.Time) bool {
		switch {
		case a.atRecord > 0:
			return read >= a.atRecord
		case a.at == "" || watermark.IsZero():
			return false
		}
		return !watermark.Before(a.moment.on(watermark))
	}
}

// asked is a run that can be asked.
type asked interface {
	Why(ctx context.Context, q strandline.Question) (strandline.Answer, error)
}

// answer asks the question, and prints what is said to it.
func (a *asking) answer(ctx context.Context, s *streams, of asked, in strandline.Inspection, note string) error {
	if !a.wantsWindow && !a.wantsRecords {
		if a.json {
			return printIndented(s, in)
		}
		_, err := fmt.Fprint(s.out, standing(in, note))
		return err
	}
	q := a.question
	day := dayOf(in)
	q.Window, q.Time = a.windowAt.on(day), a.timeAt.on(day)
	answer, err := of.Why(ctx, q)
	if err != nil {
		return &coded{exitError, err}
	}
	if note != "" {
		answer.Notes = append(answer.Notes, note)
	}
	if a.json {
		return printIndented(s, answer)
	}
	_, err = fmt.Fprintln(s.out, answer)
	return err
}

// dayOf gives the day that a run is in: that of the greatest event time it has seen.
func dayOf(in strandline.Inspection) (day time.Time) {
	for _, s := range in.Splits {
		if s.Watermark.After(day) {
			day = s.Watermark
		}
	}
	for _, s := range in.Splits {
		if day.IsZero() && s.Greatest.After(day) {
			day = s.Greatest
		}
	}
	return day
}

// standing says how splits and steps stand.
func standing(in strandline.Inspection, note string) string {
	var b strings.Builder
	at := func(t time.Time) string {
		if t.IsZero() {
			return "none"
		}
		return t.UTC().Format("2006-01-02 15:04:05.999999")
	}
	of := map[string]int{}
	for _, s := range in.Splits {
		of[s.Step]++
	}
	for _, s := range in.Splits {
		name := s.Source
		if of[s.Step] > 1 {
			name = fmt.Sprintf("%s split %d", s.Source, s.Number+1)
		}
		fmt.Fprintf(&b, "%s: %s records read, watermark %s, last record %s", name, prose.Grouped(s.Read), at(s.Watermark), at(s.Last))
		for _, flag := range []struct {
			is   bool
			text string
		}{{s.Idle, "idle"}, {s.Ended, "ended"}, {s.Paused, "waits for slower splits"}, {!s.Withheld.IsZero(), "a record of " + at(s.Withheld) + " is withheld"}} {
			if flag.is {
				b.WriteString(", " + flag.text)
			}
		}
		b.WriteString("\n")
	}
	for _, s := range in.Steps {
		fmt.Fprintf(&b, "%s: watermark %s, %s elements that no pane has had", s.Step, at(s.Watermark), prose.Grouped(s.Open))
		if s.Waiting > 0 {
			fmt.Fprintf(&b, ", %s that wait for the watermark", prose.Grouped(int64(s.Waiting)))
		}
		b.WriteString("\n")
	}
	if !in.Complete {
		b.WriteString("not all workers have answered: they wait for a slow sink, or for a source that gives nothing\n")
	}
	if note != "" {
		b.WriteString(note + "\n")
	}
	return b.String()
}
