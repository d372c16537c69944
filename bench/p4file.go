package main

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"time"
)

var (
	p4Cities  = []string{"Aachen", "Berlin", "Frankfurt am Main", "Garmisch-Partenkirchen", "Köln", "München", "Rostock", "Ulm"}
	p4Streets = []string{"Am Alten Wasserwerk", "Bahnhofstraße", "Goethestraße", "Hauptstraße", "Im Winkel", "Lindenallee"}
)

// p4File writes n events of about 200 bytes, the same for the same n: of a thousand vehicles,
// over an hour for each million, up to five seconds out of order. Speeds are quarters, so that
// their sums are exact in whatever order.
func p4File(path, format string, n int) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() {
		if e := f.Close(); err == nil {
			err = e
		}
	}()
	w := bufio.NewWriterSize(f, 1<<20)
	if format == "csv" {
		fmt.Fprintln(w, "id,vehicle,at,speed,lat,lon,battery,city,street,online")
	}
	random := rand.New(rand.NewPCG(1, 2))
	start := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	var at []byte
	for i := range n {
		t := start.Add(time.Duration(i)*3600*time.Microsecond - time.Duration(random.IntN(5000))*time.Millisecond)
		at = t.AppendFormat(at[:0], "2006-01-02T15:04:05.000Z07:00")
		vehicle, speed := random.IntN(1000), float64(random.IntN(520))/4
		lat, lon := 47+random.Float64()*8, 6+random.Float64()*9
		battery, online := random.IntN(101), random.IntN(20) > 0
		city, street := p4Cities[random.IntN(len(p4Cities))], p4Streets[random.IntN(len(p4Streets))]
		if format == "csv" {
			fmt.Fprintf(w, "%d,vehicle-%04d,%s,%g,%.5f,%.5f,%d,%s,%s %d,%t\n", i, vehicle, at, speed, lat, lon, battery, city, street, i%200, online)
		} else {
			fmt.Fprintf(w, `{"id":%d,"vehicle":"vehicle-%04d","at":"%s","speed":%g,"position":{"lat":%.5f,"lon":%.5f},"battery":%d,"city":"%s","street":"%s %d","online":%t}`+"\n",
				i, vehicle, at, speed, lat, lon, battery, city, street, i%200, online)
		}
	}
	return w.Flush()
}
